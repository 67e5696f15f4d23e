import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A certificate authority of a test. A client that trusts `ca` accepts the certificates that it issues. */
export interface TestAuthority {
  /** The authority's own certificate (PEM). */
  ca: string
  /** Issues a certificate for host names, with its key (PEM). */
  issue(...names: string[]): { key: string; cert: string }
}

const DAY_MS = 86_400_000

/** Creates an authority with a key of its own. Its certificates are valid from yesterday until tomorrow. */
export function createTestAuthority(): TestAuthority {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = commonName('Flightline test authority')
  const certify = (subject: Buffer, key: KeyObject, extensions: Buffer[]) =>
    pem(certificate({ issuer: name, subject, key, extensions, signedBy: authority.privateKey }))
  return {
    ca: certify(name, authority.publicKey, [extension('551d13', true, sequence(Buffer.from('0101ff', 'hex')))]),
    issue(...names) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const alternatives = sequence(...names.map((host) => der(0x82, Buffer.from(host))))
      return {
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
        cert: certify(commonName(names[0]!), publicKey, [extension('551d11', false, alternatives)]),
      }
    },
  }
}

interface CertificateParts {
  issuer: Buffer
  subject: Buffer
  key: KeyObject
  extensions: Buffer[]
  signedBy: KeyObject
}

/** Builds an X.509 certificate, version 3, signed with ECDSA and SHA-256 (RFC 5280). */
function certificate({ issuer, subject, key, extensions, signedBy }: CertificateParts): Buffer {
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    issuer,
    sequence(time(-DAY_MS), time(DAY_MS)),
    subject,
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  return sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, signedBy)])))
}

function commonName(text: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))))
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(oid(id), ...(critical ? [Buffer.from('0101ff', 'hex')] : []), der(0x04, value))
}

function time(fromNowMs: number): Buffer {
  const text = new Date(Date.now() + fromNowMs).toISOString().replace(/[-:T]|\.\d+/g, '')
  return der(0x18, Buffer.from(text))
}

const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g)!
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
