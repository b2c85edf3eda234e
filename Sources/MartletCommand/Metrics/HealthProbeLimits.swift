/// How long a health check waits, and how much of an answer it keeps.
enum HealthProbeLimits {
  static let timeoutSeconds: Int64 = 5
  static let bytesMax = 4_096
}
