internal import MartletValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One walk over one tree: where it is, what it has counted, and which rules hold there.
///
/// Always true: a walk that threw is thrown away, so its path needs no unwinding; recursion is bounded by `nestingMax`.
final class ValidationWalk {
  /// What differs between a statement and the parts of a schema that hold expressions.
  struct Scope {
    /// The part of a schema, where parameters are refused; nil in a statement that runs.
    var schemaPart: String?
    var allowsSubqueries = true
    var allowsRaise = false
  }

  let limits: Limits
  let sqliteVersion: Int
  let extensions: EngineExtensions
  /// What the rules for tables allow where the walk is; nil: everything.
  var access: RuledAccess?
  let leaks: LeakyCall
  var facts = StatementFacts()
  var scope = Scope()
  var path = NodePath()
  private var nesting = 0
  private var nodes = 0

  init(_ validator: StatementValidator) {
    limits = validator.limits
    sqliteVersion = validator.sqliteVersion
    extensions = validator.extensions
    access = validator.rules.map { RuledAccess($0) }
    leaks = LeakyCall(patternBytesMax: validator.limits.likePatternBytesMax)
  }

  // MARK: Moving

  func at(_ field: StaticString, _ body: @autoclosure () throws(RequestError) -> Void) throws(RequestError) {
    path.push(field)
    try body()
    path.pop()
  }

  func optional(_ field: StaticString, _ isPresent: Bool, _ body: @autoclosure () throws(RequestError) -> Void)
    throws(RequestError)
  {
    if isPresent { try at(field, body()) }
  }

  func required(_ field: StaticString, _ isPresent: Bool, _ body: @autoclosure () throws(RequestError) -> Void)
    throws(RequestError)
  {
    guard isPresent else { throw invalid("This part is missing. Set it.", field) }
    try at(field, body())
  }

  /// Visits each element; counts them first, so that a million of them is refused before one is looked at.
  func each<Node>(_ field: StaticString, _ list: [Node], _ body: (Node) throws(RequestError) -> Void)
    throws(RequestError)
  {
    guard list.count <= limits.nodesMax - nodes else { throw tooManyNodes(field) }
    for (index, node) in list.enumerated() {
      let before = nodes
      path.push(field, index: index)
      try body(node)
      // An element without a node inside it is one itself.
      if nodes == before { try count() }
      path.pop()
    }
  }

  func atLeastOne<Node>(_ field: StaticString, _ list: [Node], _ body: (Node) throws(RequestError) -> Void)
    throws(RequestError)
  {
    guard !list.isEmpty else { throw invalid("This list is empty. Give it an element.", field) }
    try each(field, list, body)
  }

  /// One element of a list that is visited by hand.
  func each(at index: Int, _ field: StaticString, _ body: @autoclosure () throws(RequestError) -> Void)
    throws(RequestError)
  {
    path.push(field, index: index)
    try body()
    path.pop()
  }

  /// A node that counts as a level of nesting: a statement, an expression, a source.
  func nested(_ unknown: UnknownFields, _ body: @autoclosure () throws(RequestError) -> Void) throws(RequestError) {
    try count()
    nesting += 1
    guard nesting <= limits.nestingMax else { throw tooMany(RequestError.treeTooDeep(limits).message) }
    try known(unknown)
    try body()
    nesting -= 1
  }

  /// The walk is at the statement itself, and not at one within it.
  var isAtWhole: Bool { nesting == 1 }

  func inside(_ scope: Scope, _ body: @autoclosure () throws(RequestError) -> Void) throws(RequestError) {
    let outer = self.scope
    self.scope = scope
    try body()
    self.scope = outer
  }

  private func count() throws(RequestError) {
    nodes += 1
    guard nodes <= limits.nodesMax else { throw tooManyNodes() }
  }

  private func tooManyNodes(_ field: StaticString? = nil) -> RequestError {
    tooMany(RequestError.tooManyNodes(limits).message, field)
  }

  // MARK: Rules that every node shares

  /// A field that this grammar does not have may change the statement's meaning, so it is never skipped over.
  func known(_ unknown: UnknownFields) throws(RequestError) {
    guard !unknown.isEmpty else { return }
    let number = unknown.firstNumber ?? 0
    throw unsupported("This server's grammar has no field \(number) here. Update the server, or leave it out.")
  }

  /// An enumeration's value with its text in SQL: nil for the unspecified value and for one of a later grammar.
  func choice(_ field: StaticString, _ number: Int, _ text: StaticString?, isOptional: Bool = false)
    throws(RequestError)
  {
    if text != nil || (number == 0 && isOptional) { return }
    guard number == 0 else {
      throw unsupported("This server's grammar has no value \(number) here. Update the server, or use another.", field)
    }
    throw invalid("No value is chosen here. Choose one.", field)
  }

  func name(_ field: StaticString, _ text: String) throws(RequestError) {
    guard !text.isEmpty else { throw invalid(Self.emptyNameSentence, field) }
    try self.text(field, text)
  }

  /// A name that may be left out, or any other text: only NUL is refused, and under rules for tables what Swift may
  /// take for the name of another table or column.
  func text(_ field: StaticString, _ text: String) throws(RequestError) {
    if let sentence = fault(of: text) { throw invalid(sentence, field) }
  }

  /// A text that is no name.
  func content(_ field: StaticString, _ text: String) throws(RequestError) {
    if text.utf8.contains(0) { throw invalid(Self.nulSentence, field) }
  }

  private static let emptyNameSentence = "A name is empty. Give it one."
  private static let nulSentence = "A text of the tree holds a NUL. Send such a value as a parameter."

  private func fault(of text: String) -> String? {
    if text.utf8.contains(0) { return Self.nulSentence }
    if access != nil, !text.isComposed {
      return "A name is not in Unicode's composed form (NFC), in which this client has to send names."
    }
    return nil
  }

  func names(_ field: StaticString, _ list: [String]) throws(RequestError) {
    try each(field, list, listedName)
  }

  private func listedName(_ text: String) throws(RequestError) {
    guard !text.isEmpty else { throw invalid(Self.emptyNameSentence) }
    if let sentence = fault(of: text) { throw invalid(sentence) }
  }

  func noMore(_ count: Int, than limit: Int, _ field: StaticString, _ what: String) throws(RequestError) {
    guard count > limit else { return }
    throw tooMany("There are more than \(limit) \(what). Split the statement.", field)
  }

  func refuse(_ isPresent: Bool, _ field: StaticString, _ sentence: String) throws(RequestError) {
    if isPresent { throw invalid(sentence, field) }
  }

  func needs(_ version: Int, _ what: String) throws(RequestError) {
    guard sqliteVersion < version else { return }
    let needed = "\(version / 1_000_000).\(version / 1_000 % 1_000)"
    throw unsupported("\(what) needs SQLite \(needed); this one is \(Self.versionText(sqliteVersion)).")
  }

  private static func versionText(_ version: Int) -> String {
    "\(version / 1_000_000).\(version / 1_000 % 1_000).\(version % 1_000)"
  }

  // MARK: Errors at this place

  func invalid(_ sentence: String, _ field: StaticString? = nil) -> RequestError {
    RequestError(.invalidArgument, .invalidStatement, sentence, path: text(of: field))
  }

  func unsupported(_ sentence: String, _ field: StaticString? = nil) -> RequestError {
    RequestError(.unimplemented, .unsupported, sentence, path: text(of: field))
  }

  func denied(_ sentence: String, _ field: StaticString? = nil) -> RequestError {
    RequestError(.permissionDenied, .permission, sentence, path: text(of: field))
  }

  func tooMany(_ sentence: String, _ field: StaticString? = nil) -> RequestError {
    RequestError(.invalidArgument, .limit, sentence, path: text(of: field))
  }

  private func text(of field: StaticString?) -> String {
    var here = path
    if let field { here.push(field) }
    return here.text
  }
}
