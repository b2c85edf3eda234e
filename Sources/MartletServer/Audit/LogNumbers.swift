internal import Logging

/// Numbers beside a line of the log, which stay numbers if the log is made of JSON.
extension Logger.MetadataValue {
  static func number(_ value: some FixedWidthInteger) -> Logger.MetadataValue {
    .stringConvertible(Int64(clamping: value))
  }
}
