/// How the log is written.
enum LogFormat: String, CaseIterable, Sendable {
  case text
  case json
}
