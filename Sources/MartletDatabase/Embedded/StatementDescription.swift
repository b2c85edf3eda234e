package import MartletValues

/// What SQLite knows of a statement before it runs.
package struct StatementDescription: Sendable {
  package var columns: [ResultColumns.Column]
  package var isReadonly: Bool
}
