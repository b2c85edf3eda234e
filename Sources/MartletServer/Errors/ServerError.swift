public import Foundation

/// Why a server cannot start; the message is a sentence for the operator.
public struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
  public var message: String
  public init(_ message: String) { self.message = message }
  public var description: String { message }
}

extension ServerError: LocalizedError {
  /// The error's sentence.
  public var errorDescription: String? { description }
}
