internal import MartletAST
public import MartletValues
internal import Synchronization

/// Notes which statements a program runs, so that its server can allow these and no others.
///
/// Give one to the configurations of a program's tests, run them against a server, and write the file:
/// `try recorder.list.text.write(toFile: "app.shapes", atomically: true, encoding: .utf8)`. A role with
/// `shapes = ["app.shapes"]` then runs these statements alone.
///
/// Always true: each shape stands there once, in the order in which they came first; values are no part of it.
public final class ShapeRecorder: Sendable {
  private let noted = Mutex(ShapeList())

  public init() {}

  /// What was run so far, at most `ShapeListLimits.shapesMax` shapes, each with its SQL.
  public var list: ShapeList { noted.withLock { $0 } }

  func note(_ statement: RemoteStatement) {
    let isKnown = noted.withLock { $0.contains(statement.shape) }
    if isKnown { return }
    let sql = (try? ASTStatement.read(statement.bytes)).flatMap { try? StatementRenderer.newest.render($0).sql }
    noted.withLock { _ = $0.add(statement.shape, note: sql ?? "") }
  }
}
