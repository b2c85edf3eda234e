import Martlet

@Table
struct Station: Identifiable {
  let id: Int
  var name = ""
}

@Table
struct Reading: Identifiable {
  let id: Int
  var stationID: Station.ID
  var celsius: Double
}

@Selection
struct StationMean {
  let name: String
  let celsius: Double?
}
