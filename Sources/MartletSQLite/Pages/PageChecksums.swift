/// Whether a database has checksums in its pages, and whether they are compared.
///
/// Always true: used where its connection is.
package enum PageChecksums: String, Sendable, CaseIterable {
  /// New files get them. If a file has them, they are compared.
  case on
  /// New files get none. If a file has them, they are compared all the same.
  case off
  /// For a damaged file, or one to which a program wrote that knows of no checksums: nothing is compared. What is
  /// written gets its checksum, so that VACUUM makes all of them anew.
  case unverified
}
