/// The bounded pool of connections of one remote database.
internal import MartletAST

final class ConnectionPool: RequestRoute {
  init(address: MartletURL.Address, database: String, configuration: ClientConfiguration) {}

  func submit(_ request: ClientRequest, to receiver: any ReplyReceiver) async throws -> InFlightRequest {
    throw ClientError(.cannotConnect, "The client cannot connect yet.")
  }

  func close() async {}
  func shutDown() {}
}

final class ClientConnection: Sendable {
  func start(_ request: ClientRequest, receiver: any ReplyReceiver) -> InFlightRequest {
    InFlightRequest(connection: self, id: 0)
  }
  func transactionEnded() {}
}

struct InFlightRequest: Sendable {
  let connection: ClientConnection
  let id: UInt32
  func cancel() {}
  func extendCredit(_ bytes: Int) {}
}
