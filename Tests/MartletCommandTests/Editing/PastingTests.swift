/// What keys mean while the terminal says that they are pasted.
import Testing

@testable import MartletCommand

struct PastingTests {
  /// The keys that `pieces` give, each of which arrives at once.
  private func keys(_ pieces: [String]) -> [Key] {
    var decoder = KeyDecoder()
    var pasting = LineReader.Pasting()
    return pieces.flatMap { piece in
      let bytes = Array(piece.utf8)
      return bytes.indices.flatMap { index in
        decoder.byteReceived(bytes[index])
          .compactMap { pasting.meaning(of: $0, bytes[index], isLast: index == bytes.count - 1) }
      }
    }
  }

  @Test(
    arguments: [
      (
        ["\u{1B}[200~a\u{3}\u{4}\u{7F}\u{15}\tb\u{1B}[201~", "\u{3}"],
        [.character("a"), .character("\t"), .character("b"), .interrupt]
      ),
      (["\u{1B}[200~a\r\nb\u{1B}[201~", "\t"], [.character("a"), .enter, .character("b"), .tab]),
      (["a\tb", "\t"], [.character("a"), .character("\t"), .character("b"), .tab]),
    ] as [([String], [Key])])
  func `what is pasted does nothing but type`(pieces: [String], expected: [Key]) {
    #expect(keys(pieces) == expected)
  }

  @Test(
    arguments: [
      ("\u{3}", .interrupt), ("\u{4}", .endOfInput), ("\u{7F}", .backspace), ("\u{1B}[3~", .delete),
    ] as [(String, Key)])
  func `a paste whose end got lost is over with a key that was pressed`(pressed: String, key: Key) {
    #expect(
      keys(["\u{1B}[200~a", pressed, "\u{1}", "b\t"]) == [
        .character("a"), key, .home, .character("b"), .tab,
      ])
  }
}
