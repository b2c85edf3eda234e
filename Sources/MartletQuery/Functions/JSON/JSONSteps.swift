import MartletAST

/// The steps of a path in a document, as `JSONDocument` writes them.
///
/// Always true: two paths that may mean one place, or one of which may be within the other, are not apart, nor are two
/// elements of one array.
struct JSONSteps {
  private let steps: [Substring]

  /// Nil for a path that the library did not write.
  init?(_ path: QueryFragment) {
    guard case .literal(let literal) = path.node, case .text(let text)? = literal.kind, text.first == "$" else {
      return nil
    }
    steps = Self.steps(of: text.utf8.dropFirst())
  }

  /// `.name`, `."a name"`, `[0]`, `[#-1]`, `[#]`.
  private static func steps(of path: Substring.UTF8View) -> [Substring] {
    var steps: [Substring] = []
    var start = path.startIndex
    var isQuoted = false
    for index in path.indices {
      switch path[index] {
      case UInt8(ascii: "\""): isQuoted = !isQuoted
      case UInt8(ascii: "."), UInt8(ascii: "["):
        guard !isQuoted, index > start else { continue }
        steps.append(Substring(path[start..<index]))
        start = index
      default: break
      }
    }
    if start < path.endIndex { steps.append(Substring(path[start...])) }
    return steps
  }

  /// Whether one call of SQLite's can change this place behind the other one: it then looks at the document as it was,
  /// and does not see what it wrote itself.
  func isApart(from earlier: JSONSteps) -> Bool {
    for (step, other) in zip(steps, earlier.steps) where step != other {
      // `[#-1]` may be the element that the other one names; and behind an element that a call adds, SQLite counts
      // anew: `json_set('[1]', '$[1]', 2, '$[0]', 3)` is [1,3] to version 3.40.
      return step.first != "[" || other.first != "["
    }
    // Places that are the same, or `[#]` twice, follow each other in one call, but for what is within them.
    return steps.count == earlier.steps.count
  }

  func isWithin(_ outer: JSONSteps) -> Bool { steps.count > outer.steps.count && steps.starts(with: outer.steps) }
}

extension FunctionCall {
  /// Whether a change of a place can be one more pair of this call's.
  func takesChange(of path: QueryFragment) -> Bool {
    guard arguments.count + 2 <= QueryLimits.argumentsMax, let place = JSONSteps(path) else { return false }
    return stride(from: 1, to: arguments.count, by: 2).allSatisfy {
      JSONSteps(arguments[$0]).map(place.isApart(from:)) ?? false
    }
  }
}

extension QueryFragment {
  /// The call of one of SQLite's functions that change documents, with the pair; a call around it if one call would
  /// make another document.
  func changed(_ function: String, _ path: QueryFragment, _ value: QueryFragment) -> QueryFragment {
    guard case .function(var call) = node, call.name == function, call.arguments.count > 2, call.takesChange(of: path)
    else { return .function(function, [self, path, value]) }
    call.arguments += [path, value]
    return QueryFragment(.function(call))
  }

  /// A change of a document that was changed in the same way before, as one expression.
  var fusingJSONChanges: QueryFragment {
    guard case .function(let call) = node else { return fusingCaseChanges }
    guard JSONValues.changes.contains(call.name), call.arguments.count > 2, call.arguments.count % 2 == 1,
      case .function(let inner) = call.arguments[0].node, inner.name == call.name
    else { return self }
    return stride(from: 1, to: call.arguments.count, by: 2).reduce(call.arguments[0]) {
      $0.changed(call.name, call.arguments[$1], call.arguments[$1 + 1])
    }
  }
}

extension JSONValues {
  /// The functions that change places of a document, each with a document and pairs of a path and a value.
  static let changes: Set<String> = [
    "json_set", "json_insert", "json_replace", "jsonb_set", "jsonb_insert", "jsonb_replace",
  ]
}
