/// Whether a database has checksums in its pages, and what is made of them.
///
/// Always true: used where its connection is.
package enum PageChecksums: String, Sendable, CaseIterable {
  /// Files that are made get them; those of a file that has them are compared.
  case on
  /// Files that are made do without; those of a file that has them are compared all the same.
  case off
  /// For a damaged file, or one to which a program wrote that knows of no checksums: nothing is compared. What is
  /// written gets its checksum, so that VACUUM makes all of them anew.
  case unverified
}
