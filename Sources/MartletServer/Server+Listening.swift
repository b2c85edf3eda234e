internal import Foundation
internal import MartletLoop
internal import MartletProtocol
internal import MartletValues

/// Addresses, and the connections that come to them.
extension Server {
  /// Every loop accepts from the one socket of an address, and a connection goes to the loop that has the fewest. The
  /// name localhost stands for both of its addresses, or a second server could take the other one.
  func listen(at url: MartletURL) throws(ServerError) -> MartletURL {
    let kind = url.socketKind
    guard case .internet(let host, let port) = url.socketAddress, host == "localhost" else {
      return try listen(at: url.socketAddress, kind).url(of: kind)
    }
    var chosen: UInt16?
    do throws(LoopError) {
      for attempt in 1...(port == 0 ? ServerLimits.portAttemptsMax : 1) where chosen == nil {
        do throws(LoopError) {
          chosen = try listenAtBoth(port: port, kind)
        } catch {
          if port != 0 || !error.isAddressInUse || attempt == ServerLimits.portAttemptsMax { throw error }
        }
      }
    } catch {
      throw .cannotListen(at: "\(url.socketAddress)", error)
    }
    return try SocketAddress.internet(host: host, port: chosen ?? port).url(of: kind)
  }

  private func listenAtBoth(port: UInt16, _ kind: SocketKind) throws(LoopError) -> UInt16 {
    let first = try ListeningSocket(at: .internet(host: "127.0.0.1", port: port))
    guard case .internet(_, let chosen) = first.address else { return port }
    let sockets = [first] + (try socket(at: .internet(host: "::1", port: chosen)))
    for socket in sockets { try accept(from: socket, kind) }
    return chosen
  }

  /// Nothing if the machine does not have the address: it may be without IPv6.
  private func socket(at address: SocketAddress) throws(LoopError) -> [ListeningSocket] {
    do throws(LoopError) {
      return [try ListeningSocket(at: address)]
    } catch {
      guard error.isAddressMissing else { throw error }
      return []
    }
  }

  private func listen(at address: SocketAddress, _ kind: SocketKind) throws(ServerError) -> SocketAddress {
    do throws(LoopError) {
      let socket = try ListeningSocket(at: address, mode: configuration.socketMode)
      try accept(from: socket, kind)
      return socket.address
    } catch {
      throw Self.missingFolder(of: address) ?? .cannotListen(at: "\(address)", error)
    }
  }

  /// What is said of a socket that has no folder to be in; nil of any other address.
  static func missingFolder(of address: SocketAddress) -> ServerError? {
    guard case .unix(let path) = address, let slash = path.lastIndex(of: "/") else { return nil }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue { return nil }
    return .socketFolderMissing(path, folder: folder)
  }

  private func accept(from socket: ListeningSocket, _ kind: SocketKind) throws(LoopError) {
    let loops = loops
    for shard in shards {
      let listening = Promise<Result<Void, LoopError>>()
      shard.loop.post {
        listening.fulfil(
          Result { () throws(LoopError) in
            let place: (Int32) -> Void = { descriptor in
              guard let place = loops.leastLoaded() else {
                return shard.gate.refuse(descriptor: descriptor, kind: kind, .connections)
              }
              place.adopt(descriptor: descriptor, kind: kind)
            }
            try shard.listeners.listen(on: socket, place) { descriptor in
              shard.gate.refuse(descriptor: descriptor, kind: kind, .descriptors)
            }
          })
      }
      try listening.wait().get()
    }
  }
}

extension MartletURL {
  var socketAddress: SocketAddress {
    switch address {
    case .tcp(let host, let port), .tls(let host, let port): .internet(host: host, port: UInt16(clamping: port))
    case .unix(let path): .unix(path: path)
    }
  }

  fileprivate var socketKind: SocketKind {
    switch address {
    case .tcp: .tcp
    case .tls: .tls
    case .unix: .unix
    }
  }
}

extension SocketAddress {
  /// Where clients connect to.
  fileprivate func url(of kind: SocketKind) throws(ServerError) -> MartletURL {
    do throws(InvalidMartletURL) {
      switch self {
      case .internet(let host, let port):
        return try MartletURL(
          address: kind == .tls ? .tls(host: host, port: Int(port)) : .tcp(host: host, port: Int(port)))
      case .unix(let path): return try MartletURL(address: .unix(path: path))
      }
    } catch {
      throw ServerError(error.message)
    }
  }
}
