import MartletAST
import MartletValues

/// Which trees are about temporary objects, and where those may stand: in a setup, and only there.
///
/// Always true: this is the first check, which can name the node; raw text is left to the second, SQLite's authorizer.
extension ASTStatement {
  /// Throws if a program's request would make, alter or drop something temporary on a connection that it shares.
  func checkLeavesTemporaryAlone() throws(RequestError) {
    guard let path = temporaryPath else { return }
    throw .temporaryInRequest(path)
  }

  /// Throws if the statement is anything but a temporary view or trigger, as far as the tree tells.
  func checkBelongsInSetup() throws(RequestError) {
    switch kind {
    case .raw: return
    case .createView(let view) where view.temporary: return
    case .createTrigger(let trigger) where trigger.temporary: return
    case .createView: throw .notInSetup("create_view.temporary", "This view is not temporary.")
    case .createTrigger: throw .notInSetup("create_trigger.temporary", "This trigger is not temporary.")
    case .createTable(let table) where table.temporary:
      throw .notInSetup("create_table.temporary", "A temporary table would be shared by all sessions of the setup.")
    default: throw .notInSetup("", "This statement makes nothing temporary.")
    }
  }

  /// The field that says "temporary"; nil if none does.
  private var temporaryPath: String? {
    switch kind {
    case .createTable(let node):
      node.temporary ? "create_table.temporary" : Self.path(node.schema, "create_table")
    case .createView(let node): node.temporary ? "create_view.temporary" : Self.path(node.schema, "create_view")
    case .createTrigger(let node):
      node.temporary ? "create_trigger.temporary" : Self.path(node.schema, "create_trigger")
    case .createVirtualTable(let node): Self.path(node.schema, "create_virtual_table")
    case .createIndex(let node): Self.path(node.schema, "create_index")
    case .alterTable(let node): Self.path(node.schema, "alter_table")
    case .drop(let node): Self.path(node.schema, "drop")
    default: nil
    }
  }

  private static func path(_ schema: String, _ statement: String) -> String? {
    schema.lowercased() == "temp" ? "\(statement).schema" : nil
  }
}
