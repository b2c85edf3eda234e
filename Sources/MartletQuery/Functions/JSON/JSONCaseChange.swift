import MartletAST

/// Changes within a case of an enum:
/// `CASE WHEN json_type(document, '$.note') IS NOT NULL THEN changed ELSE document END`.
///
/// Always true: each change is within the last of the cases, so that a document which was changed is still that case.
/// So changes that follow each other are one expression with one test, in which the document stands as often as before.
struct JSONCaseChange {
  private var document: QueryFragment
  /// The paths of the cases, from the outer to the inner one.
  private var cases: [String]
  private var changes: [(function: String, path: QueryFragment, value: QueryFragment)]

  init(_ document: QueryFragment, _ function: String, _ change: JSONChange) {
    self.document = document
    cases = change.outerCases
    changes = [(function, change.path, change.value)]
  }

  /// An expression that is one; nil if it is another one, such as a CASE of the program's own that looks like it.
  init?(_ fragment: QueryFragment) {
    guard case .choice(nil, let branches, let document?) = fragment.node, branches.count == 1 else { return nil }
    let identity = PredicateIdentity(document)
    self.document = document
    cases = []
    changes = []
    for test in branches[0].when.conjuncts {
      guard let path = test.pathOfCase(in: identity) else { return nil }
      cases.append(path)
    }
    guard takeChanges(of: branches[0].then, identity), !changes.isEmpty else { return nil }
  }

  /// Takes the calls apart, down to the document.
  private mutating func takeChanges(of changed: QueryFragment, _ identity: PredicateIdentity) -> Bool {
    guard let last = cases.last.flatMap({ JSONSteps(.literal(text: $0)) }) else { return false }
    var rest = changed
    while PredicateIdentity(rest) != identity {
      guard case .function(let call) = rest.node, JSONValues.changes.contains(call.name), call.arguments.count > 2,
        call.arguments.count % 2 == 1
      else { return false }
      for index in stride(from: call.arguments.count - 2, to: 0, by: -2) {
        guard let place = JSONSteps(call.arguments[index]), place.isWithin(last) else { return false }
        changes.insert((call.name, call.arguments[index], call.arguments[index + 1]), at: 0)
      }
      rest = call.arguments[0]
    }
    return true
  }

  /// This change and one more that follows it; nil if they are of other cases.
  func followed(by other: JSONCaseChange) -> JSONCaseChange? {
    guard cases == other.cases else { return nil }
    var both = self
    both.changes += other.changes
    return both
  }

  /// What the expression changes, if that is such an expression itself.
  var inner: JSONCaseChange? { JSONCaseChange(document) }

  var fragment: QueryFragment {
    let tests = cases.map { path in
      QueryFragment.operation(.isNot, .function("json_type", [document, .literal(text: path)]), .null)
    }
    // The first one is a call around the document, which would otherwise not stand as a whole in the call.
    let first = QueryFragment.function(changes[0].function, [document, changes[0].path, changes[0].value])
    let changed = changes.dropFirst().reduce(first) { $0.changed($1.function, $1.path, $1.value) }
    return QueryFragment(
      .choice(
        base: nil, branches: [(when: QueryFragment.all(of: tests) ?? .null, then: changed)], otherwise: document))
  }
}

extension QueryFragment {
  /// The document with a change, of which a place within a case that the enum does not have now stays as it is.
  func changed(_ function: String, _ change: JSONChange) -> QueryFragment {
    guard !change.outerCases.isEmpty else { return changed(function, change.path, change.value) }
    let change = JSONCaseChange(self, function, change)
    return (change.inner?.followed(by: change) ?? change).fragment
  }

  /// A change within a case of a document that was changed within the same case before, as one expression.
  var fusingCaseChanges: QueryFragment {
    guard let change = JSONCaseChange(self) else { return self }
    return change.inner?.followed(by: change)?.fragment ?? self
  }

  /// What AND joins; otherwise itself.
  fileprivate var conjuncts: [QueryFragment] {
    if case .operation(.and, let operands) = node { operands } else { [self] }
  }

  /// The path of `json_type(document, path) IS NOT NULL`.
  fileprivate func pathOfCase(in document: PredicateIdentity) -> String? {
    guard case .operation(.isNot, let sides) = node, sides.count == 2,
      case .literal(let null) = sides[1].node, null.keyword == .null,
      case .function(let call) = sides[0].node, call.name == "json_type", call.arguments.count == 2,
      case .literal(let literal) = call.arguments[1].node, case .text(let path)? = literal.kind,
      PredicateIdentity(call.arguments[0]) == document
    else { return nil }
    return path
  }
}
