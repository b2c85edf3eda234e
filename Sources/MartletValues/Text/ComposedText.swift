internal import Foundation

/// Texts that Swift takes for equal only if SQLite does.
///
/// Always true: two composed texts that Swift takes for equal have the same bytes. For other texts that is not so: to
/// Swift `é` and `e` with an accent behind it are equal, and to SQLite they are two names.
extension StringProtocol {
  /// Whether the text is in Unicode's composed form (NFC).
  package var isComposed: Bool {
    if utf8.allSatisfy({ $0 < 0x80 }) { return true }
    return precomposedStringWithCanonicalMapping.utf8.elementsEqual(utf8)
  }
}
