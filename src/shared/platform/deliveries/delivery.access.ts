import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isOutboxJobId } from '../jobs/job-tools.ts'
import type { DeliveryKind, DeliveryOutcome } from '../platform.tables.ts'

/** The calls to claim: one per subject. */
export interface Deliveries {
  kind: DeliveryKind
  subjects: readonly string[]
  /** The organization of the calls. Deleting the organization deletes their rows. */
  organizationId: number | null
  /** The job that makes the calls. */
  jobId: string
}

/** The right to make one call now. */
export interface Claim {
  subject: string
  key: string
  /** The number of the attempt, from 1. From 2 on, an earlier call may have succeeded without a response. */
  attempt: number
}

export interface Claimed {
  claims: Claim[]
  /** Milliseconds until the earliest claim of another run ends; null when no other run holds one. */
  busyForMs: number | null
}

/** The seconds that a claim lasts. A call ends earlier, after `CALL_LIMIT_MS`. */
export const CLAIM_SECONDS = 60

/**
 * Claims the subjects that are neither delivered nor claimed by another run, in one statement that uses the database's
 * clock. Claims nothing for a deleted organization. A delivery that was given up is claimed again, since its job runs
 * again only when an operator retries it.
 */
export async function claimDeliveries(db: Db, { kind, subjects, organizationId, jobId }: Deliveries): Promise<Claimed> {
  // A scheduled job has no row in the outbox.
  const outboxId = isOutboxJobId(jobId) ? jobId : null
  const { rows: claims } = await sql<Claim>`
    insert into delivery as d (kind, subject, organization_id, job_id, attempts, claimed_until)
    select ${kind}, subject, ${organizationId}::int, ${outboxId}::uuid, 1, now() + make_interval(secs => ${CLAIM_SECONDS})
      from unnest(${subjects}::text[]) as subject
     where ${organizationId}::int is null or exists (select 1 from organization where id = ${organizationId}::int)
     order by subject
    on conflict (kind, subject) do update
      set attempts = d.attempts + 1, claimed_until = excluded.claimed_until, job_id = excluded.job_id, outcome = null
      where d.sent_at is null and coalesce(d.claimed_until <= now(), true)
    returning subject, key, attempts as attempt`.execute(db)
  if (claims.length === subjects.length) return { claims, busyForMs: null }
  const { rows } = await sql<{ busyForMs: number | null }>`
    select (extract(epoch from min(coalesce(claimed_until, now())) - now()) * 1000)::float8 as "busyForMs"
      from delivery
     where kind = ${kind} and subject = any(${subjects}::text[]) and subject <> all(${claims.map(({ subject }) => subject)}::text[])
       and sent_at is null`.execute(db)
  return { claims, busyForMs: rows[0]?.busyForMs ?? null }
}

/** The hours after which a delivery without a job in the outbox is given up when it is still open. */
const OPEN_HOURS = 24

/**
 * Gives up at most `most` deliveries that are open although no job will make their call: the claim has ended, and the
 * job has ended or was given up. This happens when a worker is killed and the next run of its job finds that the call
 * is no longer needed, for example because the invoice is void. Returns the number of deliveries. A job that an
 * operator retries claims its delivery again.
 */
export async function closeAbandoned(db: Db, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update delivery as d set outcome = 'given_up', claimed_until = null
      from (select kind, subject from delivery as a
             where outcome is null and coalesce(claimed_until <= now(), true)
               and case when job_id is null then created_at < now() - make_interval(hours => ${OPEN_HOURS})
                        else not exists (select from outbox o where o.id = a.job_id and o.failed_at is null) end
             limit ${most} for update skip locked) as left_open
     where d.kind = left_open.kind and d.subject = left_open.subject`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Ends claims. `delivered` and `given_up` close the deliveries; with null the next run may call immediately. A claim
 * that expired and was taken by another run is left to that run, except that `delivered` is always recorded.
 */
export async function endClaims(
  db: Db,
  kind: DeliveryKind,
  claims: readonly Claim[],
  outcome: DeliveryOutcome | null,
): Promise<void> {
  if (claims.length === 0) return
  await sql`
    update delivery d
       set claimed_until = null, outcome = ${outcome},
           sent_at = case when ${outcome}::text = 'delivered' then coalesce(d.sent_at, now()) end
      from unnest(${claims.map(({ subject }) => subject)}::text[], ${claims.map(({ attempt }) => attempt)}::int[])
           as claim (subject, attempt)
     where d.kind = ${kind} and d.subject = claim.subject and d.sent_at is null
       and (d.attempts = claim.attempt or ${outcome}::text = 'delivered')`.execute(db)
}
