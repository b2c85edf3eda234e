internal import MartletLoop
internal import MartletValues

/// At which of its addresses a server may not listen as it is configured.
extension ServerConfiguration {
  /// What its addresses lack, in their order; none if a server may listen at all of them.
  public var addressFaults: [AddressFault] {
    listen.flatMap { url -> [AddressFault] in
      var lacks: [AddressFault.Lack] = []
      if url.isEncrypted, tls == nil { lacks.append(.certificate) }
      if !url.socketAddress.isLoopback, !isInsecure {
        if !url.isEncrypted { lacks.append(.encryption) }
        if access.roles.isEmpty { lacks.append(.roles) }
      }
      return lacks.map { AddressFault(url: url, lacks: $0) }
    }
  }
}
