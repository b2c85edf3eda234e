import MartletSQLite
import Synchronization

/// How much of a resource of the process one of its servers may use for its clients' requests.
///
/// Always true: the largest of the claims that there are is the process's limit. The last one that goes leaves the
/// limit of memory as it is, and takes that of temporary files with it.
package final class ProcessClaim: Sendable {
  /// What SQLite bounds for the process as a whole.
  package enum Resource: Sendable {
    case memory
    case temporaryFiles
  }

  private static let claims = Mutex<[Resource: [ObjectIdentifier: Int]]>([:])

  private let resource: Resource

  package init(_ resource: Resource, bytes: Int) {
    self.resource = resource
    change(toBytes: bytes)
  }

  deinit { Self.set(nil, for: ObjectIdentifier(self), of: resource) }

  /// Holds for what is asked for from now on: what is held already stays, also if it is more.
  package func change(toBytes bytes: Int) { Self.set(bytes, for: ObjectIdentifier(self), of: resource) }

  private static func set(_ bytes: Int?, for claim: ObjectIdentifier, of resource: Resource) {
    claims.withLock { claims in
      claims[resource, default: [:]][claim] = bytes
      let largest = claims[resource]?.values.max()
      switch resource {
      case .memory: if let largest { ProcessMemory.setLimit(bytes: largest) }
      case .temporaryFiles: TemporaryFiles.setLimit(bytes: largest ?? .max)
      }
    }
  }
}
