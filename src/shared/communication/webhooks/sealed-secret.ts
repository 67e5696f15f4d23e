import type { ConnectionSecrets } from '../../platform/adapters/tokens/connection-secrets.ts'
import type { WebhookEndpoint } from '../webhooks.tables.ts'

/** The endpoint that a secret belongs to. The encrypted secret cannot be decrypted for another endpoint. */
export interface SecretOwner {
  organizationId: number
  id: number
}

/** Encrypts the secret of an endpoint. */
export function sealSecret(secrets: ConnectionSecrets, secret: string, owner: SecretOwner): string {
  return secrets.seal(secret, contextOf(owner))
}

/**
 * Decrypts the secret of an endpoint.
 * @throws Error when the key that sealed it is no longer configured.
 */
export function openSecret(secrets: ConnectionSecrets, sealed: string, owner: SecretOwner): string {
  const secret = secrets.open(sealed, contextOf(owner))
  if (secret === null) throw new Error('the secret of a webhook cannot be decrypted')
  return secret
}

/**
 * Returns the secrets that sign now: the current one and, for a day after a rotation, the previous one.
 * @throws Error when the key that sealed them is no longer configured.
 */
export function signingSecrets(
  secrets: ConnectionSecrets,
  endpoint: Pick<WebhookEndpoint, 'organizationId' | 'id' | 'secret' | 'previousSecret' | 'previousUntil'>,
  now: Date,
): string[] {
  const { secret, previousSecret, previousUntil } = endpoint
  const sealed = previousSecret && previousUntil && previousUntil > now ? [secret, previousSecret] : [secret]
  return sealed.map((one) => openSecret(secrets, one, endpoint))
}

function contextOf({ organizationId, id }: SecretOwner): string {
  return `webhook secret ${organizationId} ${id}`
}
