import Martlet

extension WeatherStore {
  /// How many readings there are: now, and whenever that changes.
  var counts: AsyncValueObservation<Int> {
    ValueObservation.tracking { db in
      try Reading.fetchCount(db)
    }
    .removeDuplicates()
    .values(in: database)
  }
}
