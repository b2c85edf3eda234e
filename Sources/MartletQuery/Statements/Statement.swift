public import MartletAST
public import MartletValues

/// Anything that can be executed. A statement with one column is an expression too: a subquery.
///
/// Always true: `tree`, `parameters` and `sql` come from one and the same building, so parameter n of the tree is
/// `parameters[n - 1]`.
public protocol Statement<QueryValue>: ComputedExpression {
  /// The statement without its types: what trees and bytes are made of.
  var statementFragment: StatementFragment { get }
}

/// What a statement is made of, without its types.
public struct StatementFragment: Sendable {
  let tree: any StatementTree

  init(_ tree: any StatementTree) { self.tree = tree }
}

/// What knows its own tree, and writes it.
protocol StatementTree: Sendable {
  /// Writes the fields of a `Statement`: clauses in the order of the SQL, so that parameters are numbered as they are
  /// read.
  func write(to writer: inout TreeWriter)
  /// The names that its columns have by themselves, an empty one for each that has none; nil where none has.
  var columnNames: [String]? { get }
  /// Whether it was made of `none`, so that nothing it is used for has an effect.
  var isNone: Bool { get }
  /// Whether it changes rows.
  var writes: Bool { get }
  /// The same where columns of the tables around it are others.
  func mapping(_ change: ColumnMapping) -> any StatementTree
}

/// A statement that is ready to be sent: the shape, and the values beside it.
public struct BuiltStatement: Sendable {
  /// What a server executes, as a tree of the grammar.
  public var tree: ASTStatement
  /// Values for the tree's parameters: the first for `?1`.
  public var parameters: [Value]
  /// Why a value could not be bound; nil where all could.
  public var failure: QueryBindingFailure?
}

extension Statement {
  public var queryFragment: QueryFragment { QueryFragment(.subquery(statementFragment)) }

  /// Tree and parameters together: `serialized`, read back. Building twice gives the same twice.
  ///
  /// A statement that nests deeper than servers take by default has an empty tree, and a failure that says so; its
  /// bytes can be sent all the same, and the server answers.
  public var built: BuiltStatement {
    let written = serialized
    var built = BuiltStatement(tree: ASTStatement(), parameters: written.parameters, failure: written.failure)
    do { built.tree = try ASTStatement.read(written.bytes) } catch {
      built.failure = built.failure ?? QueryBindingFailure(error.message)
    }
    return built
  }

  /// What a server executes. Builds anew with each call, as `parameters` and `sql` do.
  public var tree: ASTStatement { built.tree }
  /// Values for the tree's parameters: the first for `?1`.
  public var parameters: [Value] { built.parameters }

  /// `EXISTS (...)`.
  public func exists() -> SQLQueryExpression<Bool> {
    SQLQueryExpression(QueryFragment(.exists(statementFragment)))
  }
}

// MARK: - Rows

extension Statement where QueryValue: QueryRepresentable {
  /// The rows of a batch as values.
  @inlinable
  public func decode(_ batch: RowBatch) throws -> [QueryValue.QueryOutput] {
    var rows: [QueryValue.QueryOutput] = []
    rows.reserveCapacity(batch.rowCount)
    var decoder = RowDecoder(batch: batch)
    for row in 0..<batch.rowCount {
      decoder.move(toRow: row)
      do { rows.append(try QueryValue(decoder: &decoder).queryOutput) } catch { throw decoder.explain(error) }
    }
    return rows
  }
}

extension Statement {
  /// The rows of a batch as tuples.
  @inlinable
  public func decode<First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable>(
    _ batch: RowBatch
  ) throws -> [(First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)]
  where QueryValue == (First, Second, repeat each Other) {
    var rows: [(First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)] = []
    rows.reserveCapacity(batch.rowCount)
    var decoder = RowDecoder(batch: batch)
    for row in 0..<batch.rowCount {
      decoder.move(toRow: row)
      do {
        rows.append(
          (
            try First(decoder: &decoder).queryOutput, try Second(decoder: &decoder).queryOutput,
            repeat try (each Other)(decoder: &decoder).queryOutput
          ))
      } catch {
        throw decoder.explain(error)
      }
    }
    return rows
  }
}
