internal import CMartletHash

/// SHA-256 of bytes that are in memory as a whole.
///
/// Always true: a digest has 32 bytes.
package enum SHA256 {
  package static let digestBytes = 32

  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: digestBytes) { place, count in
      // `!` because a buffer of that capacity is never empty.
      bytes.withUnsafeBufferPointer { martlet_sha256($0.baseAddress, $0.count, place.baseAddress!) }
      count = digestBytes
    }
  }
}
