import Extract
import Platform
import PumpModel

/// Opens the way to Tandem Source: reads credentials and endpoints, and makes a client.
struct SourceAccess {
  let request: LoginRequest
  let network: Network

  /// A client that has asked nothing yet, and is told where to note its requests.
  ///
  /// - Throws: `RunFailure`: 77 for credentials that cannot be used, 66 and 74 for files that cannot
  ///   be read, 64 for endpoints that are refused, 69 if HTTP cannot be spoken.
  func client(note: @escaping (RequestNote) -> Void) throws(RunFailure) -> SourceClient {
    SecretInput.forbidCoreDumps()
    let endpoints = try endpoints()
    let credentials = try credentials()
    let transport: any HTTPTransport
    do {
      transport = try network.transport()
    } catch {
      throw RunFailure(SourceFailure.noLibrary)
    }
    let world = SourceSurroundings(
      transport: transport, wait: network.wait, chance: network.chance, note: note)
    return SourceClient(endpoints: endpoints, credentials: credentials, world)
  }

  private func endpoints() throws(RunFailure) -> SourceEndpoints {
    guard let path = request.endpoints else { return SourceEndpoints(request.region) }
    let bytes: [UInt8]
    do throws(InputError) {
      guard let place = FilePath(path) else { throw InputError(.missing) }
      bytes = try InputFile.bytes(of: place, atMost: 64 << 10)
    } catch {
      throw RunFailure(
        error.kind == .failed ? .io : .inputMissing,
        what: "the file of endpoints \(error.description)", where: path,
        next: "Leave --endpoints out to ask Tandem Source.")
    }
    do {
      return try SourceEndpoints(json: bytes, region: request.region)
    } catch {
      throw RunFailure(error, at: path)
    }
  }

  private func credentials() throws(RunFailure) -> Credentials {
    switch request.credentials {
    case .file(let path):
      return try credentials(at: path) { () throws(SecretInput.Failure) in
        try SecretInput.bytes(ofFile: path)
      }
    case .descriptor(let number):
      return try credentials(at: "file descriptor \(number)") { () throws(SecretInput.Failure) in
        try SecretInput.bytes(ofDescriptor: number)
      }
    case .typed(let email, let password):
      guard let credentials = Credentials(email: email, password: password) else {
        throw RunFailure(
          .credentials, what: "no e-mail address or no password was typed",
          next: "Try again, or give a file with --credentials.")
      }
      return credentials
    }
  }

  private func credentials(
    at place: String, _ read: () throws(SecretInput.Failure) -> [UInt8]
  ) throws(RunFailure) -> Credentials {
    let bytes: [UInt8]
    do {
      bytes = try read()
    } catch {
      throw RunFailure(error, at: place)
    }
    do {
      return try Credentials(lines: bytes)
    } catch {
      throw RunFailure(error, at: place)
    }
  }
}
