/// How many rows that point nowhere are named.
enum OrphanLimits {
  static let rowIDsMax = 3
  static let kindsMax = 5
}
