/// Bytes that nobody can trust: an error, or a tree that is the same bytes again; never a trap.
///
/// Always true: every sequence is made from a seed, so a failure repeats.
import Foundation
import MartletProtobuf
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletAST

@Suite struct DecodingTests {
  private func answer(_ bytes: [UInt8], limits: Limits = Limits()) -> Result<RenderedStatement, RequestError> {
    do throws(RequestError) {
      return .success(try StatementRenderer(limits: limits).render(try ASTStatement.decode(bytes, limits: limits)))
    } catch {
      return .failure(error)
    }
  }

  private func reason(_ bytes: [UInt8], limits: Limits = Limits()) -> RequestError.Reason? {
    if case .failure(let error) = answer(bytes, limits: limits) { error.reason } else { nil }
  }

  @Test func `bytes become a tree and the same bytes again`() throws {
    for example in Example.all {
      let bytes = example.tree.serialized
      let tree = try ASTStatement.decode(bytes)
      #expect(tree == example.tree)
      let again = tree.serialized
      #expect(again == bytes)
      #expect(try bytes.withUnsafeBytes { try ASTStatement.decode($0) } == tree)
    }
  }

  @Test func `a valid statement cut or changed anywhere is an error or another statement`() throws {
    var random = SeededGenerator(seed: 7)
    var refused = 0
    var tried = 0
    for example in Example.all {
      let bytes = example.tree.serialized
      for length in 0..<bytes.count {
        tried += 1
        if reason(Array(bytes[..<length])) != nil { refused += 1 }
      }
      for _ in 0..<40 {
        var mutated = bytes
        for _ in 0...Int.random(in: 0..<3, using: &random) {
          mutated[Int.random(in: 0..<mutated.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        tried += 1
        if reason(mutated) != nil { refused += 1 }
      }
    }
    // Most cuts and changes break a length; some make another tree.
    #expect(refused > tried / 2 && refused < tried)
  }

  @Test func `random bytes are refused`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<3_000 {
      let bytes = (0..<Int.random(in: 1..<200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(reason(bytes) != nil)
    }
  }

  /// `levels` messages inside each other: field `field` of each is the next.
  private func nested(_ levels: Int, _ fields: [Int]) -> [UInt8] {
    var lengths: [Int] = [0]
    for index in 1..<levels { lengths.append(lengths[index - 1] + 1 + RawFields.varint(lengths[index - 1]).count) }
    var bytes: [UInt8] = []
    for (index, length) in lengths.reversed().enumerated() {
      bytes += RawFields.key(fields[index % fields.count], .delimited)
      bytes += RawFields.varint(length)
    }
    return bytes
  }

  @Test func `a hundred thousand levels are refused at once`() {
    // Select, WHERE, call, arguments, call, arguments and so on; and subqueries.
    let calls: [UInt8] = nested(100_000, [4, 3])
    #expect(
      reason([0x0a] + RawFields.varint(calls.count + 4) + [0x2a] + RawFields.varint(calls.count) + calls) == .limit)
    #expect(reason(nested(100_000, [1, 5, 10])) == .limit)
    #expect(reason(nested(100_000, [2, 1])) == .limit)
  }

  @Test func `the deepest tree that validation takes is decoded`() throws {
    var tree = ASTExpression.literal(Int64(1))
    for _ in 0..<98 {
      let inner = tree
      tree = .function("sum", .null) {
        $0.over.window.frame = .between(.rows, .at(.preceding, inner), .at(.currentRow))
      }
    }
    let statement = ASTStatement.select { $0.columns = [.expression(tree)] }
    let bytes = statement.serialized
    #expect(try ASTStatement.decode(bytes) == statement)
    #expect(throws: Never.self) { try StatementRenderer().render(statement) }
  }

  @Test func `a message that may stand once and stands twice is refused, however often`() {
    // Merged one into the other, these would cost a decoder time that is quadratic in their number.
    let select: [UInt8] = [0x0a, 0x02, 0x12, 0x00]
    let values: [UInt8] = [0x1a, 0x02, 0x0a, 0x00]
    #expect(reason(Array(repeatElement(select, count: 200_000).joined())) == .malformed)
    #expect(reason(Array(repeatElement(select + values, count: 100_000).joined())) == .malformed)
    let inner: [UInt8] = Array(repeatElement([0x22, 0x02, 0x1a, 0x00] as [UInt8], count: 200_000).joined())
    let column = [0x0a] + RawFields.varint(inner.count) + inner
    let columns = [0x12] + RawFields.varint(column.count) + column
    #expect(reason([0x0a] + RawFields.varint(columns.count) + columns) == .malformed)
    // The same field under a tag of more than 32 bits.
    #expect(
      reason(Array(repeatElement([0x8a, 0x80, 0x80, 0x80, 0x10, 0x00] as [UInt8], count: 9).joined())) == .malformed)
  }

  @Test func `a million children are refused by their number`() throws {
    var element: [UInt8] = [0x0a, 0x00]
    var list: [UInt8] = []
    list.reserveCapacity(2_000_000)
    for _ in 0..<1_000_000 { list += element }
    // Values, one row.
    element = [0x0a] + RawFields.varint(list.count) + list
    let statement = [0x1a] + RawFields.varint(element.count) + element
    #expect(reason(statement) == .limit)
    var limits = Limits()
    limits.statementBytesMax = 4 << 20
    #expect(reason(statement, limits: limits) == .limit)
  }

  @Test func `text that is no UTF-8 is malformed`() {
    // Select, FROM, table, name.
    for text in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]] as [[UInt8]] {
      let name = [0x12, UInt8(text.count)] + text
      let source = [0x0a, UInt8(name.count)] + name
      let from = [0x1a, UInt8(source.count)] + source
      #expect(reason([0x0a, UInt8(from.count)] + from) == .malformed)
    }
  }

  @Test func `a field of a later grammar is named and never skipped over`() throws {
    // Select with field 99 beside a column.
    let statement = ASTStatement.select { $0.columns = [.expression(.null)] }.serialized
    let select = statement.dropFirst(2) + [0x98, 0x06, 0x01]
    guard case .failure(let error) = answer([0x0a, UInt8(select.count)] + select) else {
      Issue.record("the field was skipped over")
      return
    }
    #expect(error.reason == .unsupported && error.code == .unimplemented && error.path == "select")
    #expect(error.message.contains("field 99"))
    // An expression whose only field is of a kind that is not known here.
    #expect(reason([0x0a, 0x07, 0x12, 0x05, 0x0a, 0x03, 0xa0, 0x06, 0x01]) == .unsupported)
  }
}
