/// The statements that show whether views and triggers can be compiled.
import Testing

@testable import MartletAST

@Suite struct DefinitionTrialTests {
  @Test(
    arguments: [
      ("CREATE TRIGGER t AFTER INSERT ON x BEGIN SELECT 1; END", .insert),
      ("CREATE TRIGGER \"a update\" /* delete */ insert on x begin select 1; end", .insert),
      ("CREATE TRIGGER insert BEFORE DELETE ON x BEGIN SELECT 1; END", .delete),
      ("CREATE TRIGGER [on]\n INSTEAD OF\n Update OF a, b ON x BEGIN SELECT 1; END", .update),
      ("CREATE TRIGGER 'it''s' BEFORE UPDATE ON x BEGIN DELETE FROM y; END", .update),
      ("CREATE TRIGGER t", nil), ("CREATE VIEW v AS SELECT 1", nil), ("CREATE TRIGGER t ON insert", nil), ("", nil),
    ] as [(String, DefinitionTrial.Event?)])
  func `what fires a trigger stands behind its name`(sql: String, event: DefinitionTrial.Event?) {
    #expect(DefinitionTrial.Event(trigger: sql) == event)
  }

  private static func trigger(_ name: String, _ event: String, _ table: String) -> DefinitionTrial.Definition {
    DefinitionTrial.Definition(
      isView: false, name: name, table: table, sql: "CREATE TRIGGER \(name) AFTER \(event) ON x BEGIN SELECT 1; END")
  }

  @Test func `views come first, and triggers that one statement fires share it`() {
    let trials = DefinitionTrial.all(of: [
      Self.trigger("a", "INSERT", "X"), Self.trigger("b", "UPDATE OF c", "x"), Self.trigger("c", "INSERT", "x"),
      DefinitionTrial.Definition(isView: true, name: "v\"w", table: "v\"w", sql: "CREATE VIEW …"),
      Self.trigger("d", "DELETE", "y"), Self.trigger("e", "UPDATE", "x"),
    ])
    #expect(trials.map(\.names) == [["v\"w"], ["a", "c"], ["b", "e"], ["d"]])
    #expect(
      trials.map { $0.sql(["c", "d\"e"]) } == [
        "SELECT * FROM \"v\"\"w\" LIMIT 0", "INSERT INTO \"X\" DEFAULT VALUES",
        "UPDATE \"x\" SET \"c\" = \"c\", \"d\"\"e\" = \"d\"\"e\"", "DELETE FROM \"y\"",
      ])
    #expect(trials.map(\.needsColumns) == [false, false, true, false])
    #expect(trials[2].sql() == nil)
    #expect(trials.map { $0.fault("No.") } == ["No.", "INSERT on X: No.", "UPDATE on x: No.", "DELETE on y: No."])
  }
}
