internal import MartletAST
internal import MartletValues

/// What a virtual table is made of: the name of a module, and its arguments.
public struct Module: Sendable {
  let name: String
  let arguments: [ModuleArgument]

  init(name: String, arguments: [ModuleArgument]) {
    self.name = name
    self.arguments = arguments
  }

  /// A module of this name, with columns and other expressions as its arguments.
  public init(_ name: String, _ arguments: [any Expressible]) {
    self.init(name: name, arguments: arguments.map { .expression($0.node) })
  }
}

extension Module: Expressible {
  /// `fts5("title", "body")`
  public var expression: Expression<Void> { Expression(Node(.raw(sql, []))) }

  var sql: String { "\(name)(\(arguments.map(\.sql).joined(separator: ", ")))" }
}

/// An argument of a module.
enum ModuleArgument: Sendable {
  /// A column, or any other text.
  case expression(Node)
  /// `"body" UNINDEXED`
  case unindexed(Node)
  /// `prefix="2,4"`
  case option(String, String)
  /// `tokenize=unicode61 "tokenchars=."`
  case tokenizer(Tokenizer)
  /// `tokenize='unicode61 tokenchars .'`, as FTS5 has it.
  case fullTextTokenizer(Tokenizer)

  var sql: String {
    switch self {
    case .expression(let node): node.sql
    case .unindexed(let node): "\(node.sql) UNINDEXED"
    case .option(let name, let value): "\(name)=\(value.quoted())"
    case .tokenizer(let tokenizer): "tokenize=\(tokenizer)"
    case .fullTextTokenizer(let tokenizer):
      tokenizer.arguments.isEmpty ? "tokenize=\(tokenizer)" : "tokenize=\(tokenizer.fullText.quoted("'"))"
    }
  }

  /// The node of the grammar; nil for what is neither a column nor an option, which only SQL can say.
  var tree: ASTModuleArgument? {
    switch self {
    case .expression(let node): node.columnName.map { .column($0) }
    case .unindexed(let node): node.columnName.map { .column($0, "UNINDEXED") }
    case .option(let name, let value): .option(name, value)
    case .tokenizer(let tokenizer):
      .option("tokenize", tokenizer.name, tokenizer.options)
    case .fullTextTokenizer(let tokenizer): .option("tokenize", tokenizer.fullText)
    }
  }
}

extension VirtualTable {
  /// `CREATE VIRTUAL TABLE "emails" USING fts5("subject", "body")`
  public func create(_ using: Module, ifNotExists: Bool = false) -> SchemaStatement {
    schema(CreateVirtualTableTree(table: clauses.from, module: using, ifNotExists: ifNotExists))
  }

  @_disfavoredOverload
  public func create(_ using: Module, ifNotExists: Bool = false) -> String {
    (create(using, ifNotExists: ifNotExists) as SchemaStatement).sql
  }
}

/// `CREATE VIRTUAL TABLE "a" USING module(…)`
struct CreateVirtualTableTree: PrintedStatement {
  var table: QuerySource
  var module: Module
  var ifNotExists: Bool

  func print(to printer: inout SQLPrinter) {
    printer.create("VIRTUAL TABLE", ifNotExists, table)
    printer.write(" USING \(module.sql)")
  }

  func tree(_ values: inout TreeValues) -> ASTStatement {
    let arguments = module.arguments.compactMap(\.tree)
    guard arguments.count == module.arguments.count else {
      return .raw(Node(.statement(self)).sql)
    }
    var statement = ASTStatement.createVirtualTable(table.name, using: module.name, arguments)
    statement.createVirtualTable.schema = table.database ?? ""
    statement.createVirtualTable.ifNotExists = ifNotExists
    return statement
  }
}
