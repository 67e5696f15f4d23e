import { createHmac, timingSafeEqual } from 'node:crypto'
import { platformErrors } from '../../platform.errors.ts'
import type { UploadPolicy } from './storage.port.ts'

/** Returns the signed fields of an upload form. */
export function signUpload(secret: Buffer, policy: UploadPolicy): Record<string, string> {
  const { key, contentType, maxBytes, expiresAt } = policy
  const text = Buffer.from(JSON.stringify({ key, contentType, maxBytes, expiresAt })).toString('base64url')
  return { key, 'Content-Type': contentType, policy: text, signature: mac(secret, `upload\n${text}`) }
}

/**
 * Returns the upload policy that is in the posted form fields.
 * @throws Forbidden when the service did not sign the policy, the policy has expired, or the fields differ from it
 */
export function readUpload(secret: Buffer, fields: Record<string, string>, now: Date): UploadPolicy {
  const { key, 'Content-Type': contentType, policy: text = '', signature = '', ...others } = fields
  if (!isMac(secret, `upload\n${text}`, signature)) throw platformErrors.uploadNotArranged()
  const signed = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<keyof UploadPolicy, never>
  const policy: UploadPolicy = { ...signed, expiresAt: new Date(signed.expiresAt) }
  if (now >= policy.expiresAt) throw platformErrors.uploadExpired()
  if (key !== policy.key || contentType !== policy.contentType || Object.keys(others).length > 0) {
    throw platformErrors.formChanged()
  }
  return policy
}

/** Returns the query of a signed read link. */
export function signRead(secret: Buffer, key: string, fileName: string, expiresAt: Date): URLSearchParams {
  const expires = String(Math.floor(expiresAt.getTime() / 1000))
  return new URLSearchParams({ fileName, expires, signature: mac(secret, `read\n${key}\n${expires}\n${fileName}`) })
}

/**
 * Ensures that a read link is signed and has not expired.
 * @throws Forbidden when the service did not sign it, or it has expired
 */
export function assertIsSignedRead(
  secret: Buffer,
  link: { key: string; fileName: string; expires: string; signature: string },
  now: Date,
): void {
  const genuine = isMac(secret, `read\n${link.key}\n${link.expires}\n${link.fileName}`, link.signature)
  if (!genuine || now.getTime() >= Number(link.expires) * 1000) {
    throw platformErrors.linkExpired()
  }
}

function mac(secret: Buffer, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}

function isMac(secret: Buffer, text: string, given: string): boolean {
  const expected = createHmac('sha256', secret).update(text).digest()
  const claimed = Buffer.from(given, 'base64url')
  return claimed.length === expected.length && timingSafeEqual(claimed, expected)
}
