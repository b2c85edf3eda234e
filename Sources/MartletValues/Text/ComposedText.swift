internal import Foundation

/// Texts that are equal to Swift only if they are to SQLite.
///
/// Always true: of two composed texts that Swift takes for equal every byte is equal. Of others it is not: Swift
/// compares what is seen, `é` and `e` with an accent, which are two names to SQLite.
extension StringProtocol {
  /// Whether it is in Unicode's composed form (NFC).
  package var isComposed: Bool {
    if utf8.allSatisfy({ $0 < 0x80 }) { return true }
    return precomposedStringWithCanonicalMapping.utf8.elementsEqual(utf8)
  }
}
