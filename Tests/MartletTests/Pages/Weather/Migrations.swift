import Martlet

extension DatabaseMigrator {
  /// Every change of the schema, in its order; each runs once on a database.
  static var weather: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create stations and readings") { db in
      try Station.createTable { t in
        t.name.unique()
      }
      .execute(db)
      try Reading.createTable { t in
        t.stationID.references(Station.self, onDelete: .cascade)
      }
      .execute(db)
      try Reading.createIndex(on: \.stationID).execute(db)
    }
    return migrator
  }
}
