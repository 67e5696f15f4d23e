import type { ConnectionSecrets } from '../../platform/adapters/tokens/connection-secrets.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { sealSecret } from './sealed-secret.ts'
import { drawSecret } from './signature.ts'
import { lockWebhook } from './webhook.access.ts'

/** The milliseconds after a rotation during which requests are also signed with the old secret. */
const OLD_SIGNS_MS = 86_400_000

/**
 * Replaces the secret of an endpoint. For 24 hours, requests are signed with the old secret too. With `immediately`,
 * which is for a leaked secret, they are signed only with the new one.
 */
export async function rotateSecret(
  tx: Tx,
  actor: Actor,
  secrets: ConnectionSecrets,
  { id, immediately }: { id: number; immediately: boolean },
): Promise<{ id: number }> {
  const endpoint = await lockWebhook(tx, actor.organizationId, id)
  endpoint.previousSecret = immediately ? null : endpoint.secret
  endpoint.previousUntil = immediately ? null : new Date(tx.now.getTime() + OLD_SIGNS_MS)
  endpoint.secret = sealSecret(secrets, drawSecret(), endpoint)
  emit(tx, actor, { kind: 'webhook.secret_rotated', subject: { kind: 'webhook', id }, after: { immediately } })
  return { id }
}
