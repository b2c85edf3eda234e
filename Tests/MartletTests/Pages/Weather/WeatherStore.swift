import Martlet

struct WeatherStore: Sendable {
  let database: any DatabaseWriter

  init(_ database: any DatabaseWriter) async throws {
    self.database = database
    try await DatabaseMigrator.weather.migrate(database)
  }

  /// False if there is a station of that name already.
  func add(_ name: String) async throws -> Bool {
    do {
      try await database.write { db in
        try Station.insert { Station.Draft(name: name) }.execute(db)
      }
      return true
    } catch let error as RequestError where error.constraint == "UNIQUE" {
      return false
    }
  }

  func record(_ celsius: Double, at station: Station.ID) async throws {
    try await database.write { db in
      try Reading.insert { Reading.Draft(stationID: station, celsius: celsius) }.execute(db)
    }
  }

  /// Throws if the answer is not there within five seconds.
  func means() async throws -> [StationMean] {
    try await database.read(deadline: .seconds(5)) { db in
      try Station
        .leftJoin(Reading.all) { $0.id.eq($1.stationID) }
        .group { station, _ in station.id }
        .order { station, _ in station.name }
        .select { StationMean.Columns(name: $0.name, celsius: $1.celsius.avg()) }
        .fetchAll(db)
    }
  }
}
