/// Takes requests to a server: the pool to any connection, a transaction to its own.
protocol RequestRoute: Sendable {
  /// Hands the request to a connection. Throws if none takes it; whatever happens after that, the receiver is told.
  func submit(_ request: ClientRequest, to receiver: any ReplyReceiver) async throws -> InFlightRequest
}
