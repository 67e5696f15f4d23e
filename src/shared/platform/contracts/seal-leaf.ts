import { createHash } from 'node:crypto'
import type { NewSeal } from './seal-kinds.ts'

/** The content of a seal: the covered columns and their values. */
export type SealContent = Readonly<Record<string, unknown>>

/**
 * Returns the leaf of a seal: SHA-256 over the salt and the canonical JSON of what was signed, of whom and by whom. The
 * salt keeps the content from being guessed.
 */
export function leafOf(seal: NewSeal, content: SealContent, salt: Buffer): Buffer {
  const { organizationId: organization, kind, id, memberId: member, signerId: signer, signedAt } = seal
  const text = canonicalJson({ kind, id, organization, signedAt, member, signer, content })
  return createHash('sha256').update(salt).update(text).digest()
}

/** Returns what the authentication code of a seal covers: its organization, its number and its leaf. */
export function authenticated(organizationId: number, number: number, leaf: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(organizationId, 0)
  head.writeUInt32BE(number, 4)
  return Buffer.concat([head, leaf])
}

/**
 * Returns the canonical JSON of a value: members in the order of their names, no spaces. Implements RFC 8785, whose numbers and texts are
 * those of `JSON.stringify`. An instant is its ISO text; bytes are their SHA-256, in hexadecimal digits.
 */
export function canonicalJson(value: unknown): string {
  if (value instanceof Date) return JSON.stringify(value.toISOString())
  if (value instanceof Uint8Array) return JSON.stringify(createHash('sha256').update(value).digest('hex'))
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`
  }
  return JSON.stringify(value)
}
