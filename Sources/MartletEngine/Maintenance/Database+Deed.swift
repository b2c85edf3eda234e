import MartletAST
package import MartletValues

/// What a statement does, in a word, for the audit log.
package struct StatementDeed: Sendable, Equatable {
  package var shape: ShapeID
  /// `raw`, `schema`, `insert`, `update`, `delete` or `select`: the first of these that it needs.
  package var kind: String
  /// Also true for raw text of which it is not known whether it writes.
  package var writes: Bool

  init(shape: ShapeID, needs: Permissions, access: StatementAccess) {
    let kinds: [(Permissions, String)] = [
      (.raw, "raw"), (.schema, "schema"), (.insert, "insert"), (.update, "update"), (.delete, "delete"),
    ]
    self.shape = shape
    kind = kinds.first { !needs.isDisjoint(with: $0.0) }?.1 ?? "select"
    writes = access != .read
  }
}

extension Database {
  /// What a statement does, whether the subject may run it or not; nil if it is not known, too long, or not valid. Runs
  /// nothing, so a loop may ask.
  package func deed(of source: StatementSource, for subject: Subject) -> StatementDeed? {
    switch source {
    case .shape(let shape): return known(shape, subject)
    case .statement(let bytes):
      let limits = file.configuration.limits
      guard !source.isLong(limits) else { return nil }
      let shape = bytes.withUnsafeBytes { ShapeID(hashing: $0) }
      if let known = known(shape, subject) { return known }
      // A statement that its subject may not run is not cached.
      guard let tree = try? ASTStatement.decode(bytes, limits: limits),
        let rendered = try? StatementRenderer(limits: limits).onThisLibrary.render(tree)
      else { return nil }
      return StatementDeed(shape: shape, needs: rendered.needs, access: rendered.access)
    }
  }

  /// Which parameters of the statement stand for columns of tables, whether it may run or not; none if it is not known,
  /// or longer than a loop may look at. Runs nothing, so a loop may ask.
  package func parameterColumns(of source: StatementSource, for subject: Subject) -> [ParameterColumn] {
    let limits = file.configuration.limits
    switch source {
    case .shape(let shape):
      return file.parts.plans.known(subject.key(of: shape))?.parameterColumns(limits: limits) ?? []
    case .statement(let bytes):
      let shape = bytes.withUnsafeBytes { ShapeID(hashing: $0) }
      if let plan = file.parts.plans.known(subject.key(of: shape)) { return plan.parameterColumns(limits: limits) }
      guard !source.isLong(limits) else { return [] }
      return (try? ASTStatement.decode(bytes, limits: limits))?.parameterColumns ?? []
    }
  }

  private func known(_ shape: ShapeID, _ subject: Subject) -> StatementDeed? {
    file.parts.plans.known(subject.key(of: shape)).map {
      StatementDeed(shape: shape, needs: $0.needs, access: $0.access)
    }
  }
}
