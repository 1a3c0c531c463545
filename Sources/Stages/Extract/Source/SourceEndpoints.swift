package import PumpModel

/// Where Tandem Source is: base addresses without a slash at their end, and who asks.
package struct SourceEndpoints: Sendable, Equatable {
  /// The page that a login begins at.
  package var sso: WebAddress
  /// Login, tokens and their keys.
  package var services: WebAddress
  /// The reports.
  package var source: WebAddress
  /// Where a login ends.
  package var redirect: WebAddress
  /// What the web application is called by the login.
  package var clientID: String

  private init(
    sso: WebAddress, services: WebAddress, source: WebAddress, redirect: WebAddress,
    clientID: String
  ) {
    self.sso = sso
    self.services = services
    self.source = source
    self.redirect = redirect
    self.clientID = clientID
  }

  /// Those of a region.
  package init(_ region: SourceRegion) {
    let sso = WebAddress(https: "sso.tandemdiabetes.com")
    switch region {
    case .us:
      self.init(
        sso: sso, services: WebAddress(https: "tdcservices.tandemdiabetes.com"),
        source: WebAddress(https: "source.tandemdiabetes.com"),
        redirect: sso.appending("/auth/callback"), clientID: "0oa4wnbvtladeyVZX4h7")
    case .eu:
      let source = WebAddress(https: "source.eu.tandemdiabetes.com")
      self.init(
        sso: sso, services: WebAddress(https: "tdcservices.eu.tandemdiabetes.com"),
        source: source, redirect: source.appending("/authorize/callback"),
        clientID: "1519e414-eeec-492e-8c5e-97bea4815a10")
    }
  }

  /// Why a file of endpoints is refused.
  package enum FileFault: Error, Sendable, Equatable {
    /// It is no JSON object with the texts `sso`, `services` and `source`, and nothing else.
    case form
    /// An address is of a host that is neither Tandem's nor this computer, or not well formed.
    case host(key: String)
  }

  /// Those of a region with the addresses of a file in the place of Tandem's.
  package init(json bytes: [UInt8], region: SourceRegion) throws(FileFault) {
    guard case .object(let members)? = ReplyJSON.value(of: bytes), members.count == 3 else {
      throw .form
    }
    func address(_ key: String) throws(FileFault) -> WebAddress {
      guard case .string(let text)? = members.first(where: { $0.key == key })?.value else {
        throw .form
      }
      guard let address = WebAddress(text), address.isAllowed, address.path == "" else {
        throw .host(key: key)
      }
      return address
    }
    let sso = try address("sso")
    self.init(
      sso: sso, services: try address("services"), source: try address("source"),
      redirect: sso.appending("/auth/callback"), clientID: SourceEndpoints(region).clientID)
  }

  /// Whether a login may lead through an address.
  func allow(_ address: WebAddress) -> Bool {
    [sso, services, source, redirect].contains { $0.origin == address.origin }
  }
}
