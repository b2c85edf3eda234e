/// Values in the audit log: of the columns that the operator has named, and of no others.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct AuditedValuesTests {
  private static let name = AuditedColumn(table: "people", column: "name")
  private static let age = AuditedColumn(table: "people", column: "age")

  private static func column(_ parameter: Int, _ name: String, member: Int = 0) -> ParameterColumn {
    ParameterColumn(parameter: parameter, member: member, table: "people", column: name)
  }

  private static func shown(_ event: AuditEvent) throws -> [String: [Any]]? {
    var bytes: [UInt8] = []
    event.write(to: &bytes)
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    return object?["parameters"] as? [String: [Any]]
  }

  // MARK: - A line

  @Test func `each kind of value has its form, and a long one is cut`() throws {
    var event = AuditEvent(.statement)
    let long = String(repeating: "é", count: 5_000)
    let values: [StepParameter] = [
      nil, 7, .value(.real(1.5)), .value(.real(.infinity)), "a \"b\"\n", .value(.blob([1, 0xAB])), .value(.text(long)),
      .value(.blob([UInt8](repeating: 0xFF, count: 9_000))),
    ]
    event.parameters = AuditedValues.of(
      values, standingFor: (1...values.count).map { Self.column($0, "name") }, asked: [Self.name])
    let shown = try #require(try Self.shown(event)?["people.name"])
    #expect(shown.count == values.count && shown[0] is NSNull && shown[1] as? Int == 7 && shown[2] as? Double == 1.5)
    #expect(shown[3] as? String == "inf" && shown[4] as? String == "a \"b\"\n" && shown[5] as? String == "x'01ab'")
    let (text, blob) = (try #require(shown[6] as? String), try #require(shown[7] as? String))
    #expect(text == String(repeating: "é", count: AuditLimits.textScalarsMax) + "…")
    #expect(blob.hasPrefix("x'ffff") && blob.hasSuffix("…") && blob.unicodeScalars.count <= AuditLimits.textScalarsMax)
  }

  @Test func `of many values some are shown, and how many more there were`() throws {
    var event = AuditEvent(.statement)
    let rows = RowBatch(rows: (0..<1_000).map { [.integer($0), .text("n\($0)")] }, columnCount: 2)
    event.parameters = AuditedValues.of(
      [.value(.rows(rows)), 9],
      standingFor: [Self.column(1, "age"), Self.column(1, "name", member: 1), Self.column(2, "age")],
      asked: [Self.name, Self.age])
    let shown = try #require(try Self.shown(event))
    let (ages, names) = (try #require(shown["people.age"]), try #require(shown["people.name"]))
    #expect(ages.count == AuditLimits.valuesMax + 1 && ages.first as? Int == 0)
    #expect(ages.last as? String == "… \(1_001 - AuditLimits.valuesMax) more")
    #expect(names.first as? String == "n0" && names.last as? String == "… \(1_000 - AuditLimits.valuesMax) more")
  }

  @Test func `what nobody asked for, and what is not there, is not shown`() {
    let columns = [
      Self.column(1, "secret"), Self.column(0, "name"), Self.column(3, "name"), Self.column(2, "name", member: 5),
      Self.column(.max, "age"),
    ]
    let values: [StepParameter] = ["hidden", .value(.list([1, 2]))]
    #expect(AuditedValues.of(values, standingFor: columns, asked: [Self.name, Self.age]) == [])
    #expect(AuditedValues.of([], standingFor: columns, asked: [Self.name]) == [])
    #expect(
      AuditedValues.of([.firstRow(step: 1, column: 0)], standingFor: [Self.column(1, "name")], asked: [Self.name]) == []
    )
  }

  // MARK: - A server

  private static let make = ASTStatement.createTable("People", [.column("id"), .column("name"), .column("age")])

  private static func insert() -> ASTStatement {
    .insert(into: "people", ["id", "Name", "age"]) {
      $0.values = .rows([[.parameter(1), .parameter(2), .parameter(3)]])
    }
  }

  private static func find() -> ASTStatement {
    .select {
      $0.columns = [.expression(.column("people", "id"))]
      $0.from = .table("people")
      $0.where = .call(
        .and, .call(.equal, .column("people", "name"), .parameter(1)),
        .call(.less, .column("people", "age"), .parameter(2)))
    }
  }

  private static func execute(
    _ tree: ASTStatement, _ values: [Value], transaction: UInt32 = 0
  ) -> ClientMessage.Kind {
    .execute(.init(source: .statement(tree.bytes), parameters: values, transaction: transaction))
  }

  @Test func `statements show the values of the columns that are named, in every way that they come`() throws {
    let server = try AuditedServer(.all) { configuration, _ in configuration.audit?.parameters = [Self.name] }
    let client = try server.live.connect("shop")
    let shape = Self.find().bytes.withUnsafeBytes { ShapeID(hashing: $0) }
    let find: [Value] = ["ada", 918_273_645_546]
    let requests: [(UInt32, ClientMessage.Kind, [[String]])] = [
      (10, Self.execute(Self.make, []), []),
      (11, Self.execute(Self.insert(), [1, "ada", 918_273_645_546]), [["ada"]]),
      (12, Self.execute(Self.find(), find), [["ada"]]),
      (13, Self.execute(Self.find(), find), [["ada"]]),
      (14, .execute(.init(source: .shape(shape), parameters: find)), [["ada"]]),
      (15, .begin(.write), []),
      (16, Self.execute(Self.insert(), [2, "bob", 918_273_645_546], transaction: 15), [["bob"]]),
      (17, Self.execute(Self.find(), ["eve", 918_273_645_546], transaction: 15), [["eve"]]),
      (18, .finish(transaction: 15, commit: true), []),
      (
        19,
        .batch(
          .init(
            steps: [
              .init(source: .statement(Self.insert().bytes), parameters: [3, "cat", 918_273_645_546]),
              .init(
                source: .statement(Self.insert().bytes),
                parameters: [.lastInsertRowID(step: 1), "dan", 918_273_645_546]),
            ], isAtomic: true)), [["cat"], ["dan"]]
      ),
      (
        20,
        Self.execute(
          .insert(into: "people", ["name", "age"], rows: 1),
          [.rows(RowBatch(rows: [["x", 918_273_645_546], ["y", 918_273_645_546]], columnCount: 2))]), [["x", "y"]]
      ),
      (21, Self.execute(.raw("INSERT INTO people(name) VALUES ('marker')"), []), []),
      (22, Self.execute(.select { $0.columns = [.expression(.column("nothing", "name"))] }, ["marker"]), []),
    ]
    for (id, kind, _) in requests {
      client.send(id, kind)
      _ = try client.answer(id)
    }
    let lines = try server.lines()
    for (id, _, expected) in requests {
      let found = lines.filter { $0["request"] as? Int == Int(id) }.compactMap {
        $0["parameters"] as? [String: [String]]
      }
      #expect(found == expected.map { ["people.name": $0] }, "request \(id)")
    }
    let text = try server.text()
    #expect(!text.contains("918273645546") && !text.contains("marker"))
  }

  @Test func `a refused statement shows what it asked for, and a reload takes the columns`() throws {
    let server = try AuditedServer(.refused) { configuration, _ in
      configuration.denied = .insert.union(.raw)
      configuration.audit?.parameters = [Self.name]
    }
    let client = try server.live.connect("shop")
    client.send(10, Self.execute(Self.make, []))
    _ = try client.answer(10)
    client.send(11, Self.execute(Self.insert(), [1, "ada", 2]))
    #expect(try client.answer(11).error?.reason == .permission)
    try server.reload { $0.audit?.parameters = [Self.age] }
    client.send(12, Self.execute(Self.insert(), [1, "ada", 2]))
    #expect(try client.answer(12).error?.reason == .permission)
    try server.reload { $0.audit?.parameters = [] }
    client.send(13, Self.execute(Self.insert(), [1, "ada", 2]))
    #expect(try client.answer(13).error?.reason == .permission)
    let lines = try server.lines().filter { $0["event"] as? String == "statement" }
    #expect(lines.count == 3)
    #expect(lines[0]["parameters"] as? [String: [String]] == ["people.name": ["ada"]])
    #expect(lines[1]["parameters"] as? [String: [Int]] == ["people.age": [2]])
    #expect(lines[2]["parameters"] == nil)
  }
}
