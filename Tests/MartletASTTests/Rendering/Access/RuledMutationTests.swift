/// Trees under rules that were changed at random: whatever is wrong with one, and wherever, it is an error and no more.
///
/// Always true: MARTLET_SEED says where the changes begin.
import Foundation
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@Suite struct RuledMutationTests: RuledTrees {
  private static let empty = ASTStatement.select { $0.columns = [.expression(ASTExpression())] }

  /// Each has a query in a place of its own, where what may be read, and of whom, is another than around it.
  private static func trees(_ inner: ASTStatement) -> [ASTStatement] {
    [
      update { $0.from = .subquery(inner, as: "n") },
      update {
        $0.from = .table("open"); $0.joins = [.join(.inner, .subquery(inner, as: "n"))]
      },
      update { $0.where = .exists(inner) }, update { $0.assignments = [.set("title", .subquery(inner))] },
      update { $0.returning = [.expression(.subquery(inner))] },
      insert { $0.source = .query(inner) }, insert { $0.returning = [.expression(.subquery(inner))] },
      .delete(from: "notes") { $0.where = .exists(inner) },
      .with([.named("c", as: inner)], update { $0.from = .table("c") }),
      .with([.named("c", as: select("open"))], update { $0.from = .subquery(inner, as: "n") }),
      .compound(select("open"), [(.union, inner)]), select("open", .subquery(inner)),
      .select {
        $0.from = .subquery(inner, as: "open"); $0.orderBy = [.by(.subquery(inner))]
      },
    ]
  }

  private static func refusal(_ tree: ASTStatement) -> RequestError? {
    do { _ = try StatementRenderer(rules: rules).render(tree) } catch { return error }
    return nil
  }

  @Test func `what is wrong in an inner query is told, wherever it stands, and the next statement is none the worse`() {
    let faults: [(ASTStatement, RequestError.Reason)] = [
      (Self.empty, .invalidStatement), (Self.select("secrets"), .permission),
      (Self.select("log"), .permission), (Self.select("sqlite_schema"), .permission),
    ]
    for (inner, reason) in faults {
      for (index, tree) in Self.trees(inner).enumerated() {
        let error = Self.refusal(tree)
        #expect(error != nil, "\(index)")
        if reason == .permission, error?.path.contains("column") != true {
          #expect(error?.reason == reason, "\(index): \(String(describing: error))")
        }
      }
    }
    for tree in Self.trees(Self.select("open")) { _ = Self.refusal(tree) }
    #expect(Self.refusal(Self.update { $0.from = .subquery(Self.select("open"), as: "n") }) == nil)
  }

  @Test func `any change of any byte is a statement or an error`() {
    let seed = ProcessInfo.processInfo.environment["MARTLET_SEED"].flatMap(UInt64.init) ?? 1
    var random = SeededGenerator(seed: seed)
    let seeds = [Self.select("open"), Self.select("notes", .column("title")), Self.empty].flatMap(Self.trees)
      .map(\.serialized)
    var outcomes = (read: 0, rendered: 0)
    for _ in 0..<20_000 {
      var bytes = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      guard let tree = try? ASTStatement.decode(bytes) else { continue }
      outcomes.read += 1
      if Self.refusal(tree) == nil { outcomes.rendered += 1 }
    }
    #expect(outcomes.read > 1_000 && outcomes.rendered > 50, "\(outcomes)")
  }
}
