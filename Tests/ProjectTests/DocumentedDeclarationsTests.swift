/// What the rule of documentation leaves out is said elsewhere, and still there to be left out.
import MartletTestSupport
import Testing

@Suite struct DocumentedDeclarationsTests {
  static let declarations = ProjectFiles.sources
    .filter { file in DocumentedDeclarations.modules.contains { file.path.hasPrefix($0) } }
    .flatMap { PublicDeclaration.all(in: $0.lines) }

  @Test func `the scanner sees the public declarations`() {
    #expect(Self.declarations.count > 1000)
    #expect(Self.declarations.contains { $0.member == "QueryExpression.<<" && $0.isOperator && $0.isStatic })
    #expect(Self.declarations.contains { $0.member == "rowNumber" && !$0.isStatic })
    #expect(Self.declarations.contains { $0.member == "Table.where" && $0.isStatic })
    #expect(Self.declarations.contains { $0.member == "QueryDecodable.init" && $0.label == "decoder" })
  }

  @Test(arguments: DocumentedDeclarations.witnesses.sorted { $0.key < $1.key }.map(\.key))
  func `a requirement says what its witnesses need not`(name: String) throws {
    let owner = try #require(DocumentedDeclarations.witnesses[name])
    let own = Self.declarations.filter { declaration in
      declaration.owner == owner && declaration.isRequirement
        && (declaration.name == name || "\(declaration.name)(\(declaration.label):)" == name)
    }
    #expect(!own.isEmpty && own.allSatisfy { $0.isDocumented }, "\(owner).\(name)")
  }

  @Test func `attributes stand between a declaration and its comment`() {
    let lines = [
      "/// A.", "@attached(", "  member, names: named(a),", "  named(b))", "@inlinable", "public macro A(_ b: Int) =",
      "  #external", "@available(*, unavailable, message: \"No.\")", "public func b(c: Int)",
    ]
    let found = PublicDeclaration.all(in: lines)
    #expect(found.map(\.name) == ["A", "b"] && found.map(\.isDocumented) == [true, false])
    #expect(found.map(\.isUnavailable) == [false, true] && found[1].label == "c")
  }
}
