import { type RawBuilder, sql } from 'kysely'
import { referencesOf } from '../platform/db/declare-table.ts'
import type { KeptFor, MembershipReference, ReferenceKind } from '../platform/db/member-columns.ts'
import type { Tx } from '../platform/db/transaction.ts'
import type { FormerMember } from '../qualification/documents/document.access.ts'
import type { LeavingMember } from './bookings-ahead.access.ts'

/** Why an organization must keep, by law and for a limited time, some of the records that are otherwise deleted. */
export type KeptByLaw = 'citizenship' | 'dates' | 'proofs'

/** The records of one kind that an erasure keeps, and why. */
export interface KeptRecords {
  kind: ReferenceKind
  reason: KeptFor
  count: number
}

/** Returns the kinds of a member's records that erasing deletes, and the counts of the records that it keeps. */
export async function countReferences(
  tx: Tx,
  { organizationId, orgUserId }: LeavingMember,
): Promise<{ deleted: ReferenceKind[]; kept: KeptRecords[] }> {
  const each = referencesOf(tx.tables).flatMap(({ table, column, kind, erase }) => {
    if (erase === 'none') return []
    const record = kind === 'bookings' ? sql`'booking' || reservation_id` : sql`${sql.lit(table)} || ctid::text`
    return [
      sql`select ${sql.lit(kind)} as kind, ${sql.lit(erase)} as reason, ${record} as record from ${sql.table(table)}
        where organization_id = ${organizationId} and ${sql.ref(column)} = ${orgUserId}`,
    ]
  })
  const { rows } = await sql<{ kind: ReferenceKind; reason: KeptFor | 'delete' | 'unkept'; count: number }>`
    select kind, reason, count(distinct record)::int as count from (${sql.join(each, sql` union all `)}) as r
     group by kind, reason order by kind, reason`.execute(tx.db)
  const isDeleted = (reason: string) => reason === 'delete' || reason === 'unkept'
  return {
    deleted: [...new Set(rows.flatMap(({ kind, reason }) => (isDeleted(reason) ? [kind] : [])))],
    kept: rows.filter((row): row is KeptRecords => !isDeleted(row.reason)),
  }
}

/** A former member's records of one kind that the organization must keep by law: how many, why, and until when. */
export interface KeptByLawRecords {
  kind: ReferenceKind
  reason: KeptByLaw
  count: number
  until: Date
}

/**
 * Deletes the records of a former member that an erasure deletes, of these parts; of all parts when none are given. Returns the records
 * that the organization must keep by law. Documents to keep are already marked.
 */
export async function deleteReferences(
  tx: Tx,
  member: FormerMember,
  parts?: readonly MembershipReference['part'][],
): Promise<KeptByLawRecords[]> {
  const { organizationId, orgUserId } = member
  await keepByLaw(tx, member)
  for (const { table, column, erase } of referencesOf(tx.tables, parts)) {
    if (erase !== 'delete' && erase !== 'unkept') continue
    const unkept = erase === 'unkept' ? sql`and kept_until is null` : sql``
    await sql`delete from ${sql.table(table)}
      where organization_id = ${organizationId} and ${sql.ref(column)} = ${orgUserId} ${unkept}`.execute(tx.db)
  }
  const kept = Object.entries(keptByLaw).map(
    ([
      table,
      { kind, reason },
    ]) => sql`select ${sql.lit(kind)} as kind, ${sql.lit(reason)} as reason, count(*)::int as count,
      max(kept_until) as until from ${sql.table(table)}
      where organization_id = ${organizationId} and membership_id = ${orgUserId} and kept_until is not null
      having count(*) > 0`,
  )
  const { rows } = await sql<KeptByLawRecords>`${sql.join(kept, sql` union all `)}`.execute(tx.db)
  return rows
}

const keptByLaw = {
  member_profile: { kind: 'profile', reason: 'citizenship' },
  currency_record: { kind: 'currencies', reason: 'dates' },
  document: { kind: 'documents', reason: 'proofs' },
} as const satisfies Record<string, { kind: ReferenceKind; reason: KeptByLaw }>

/**
 * Sets `kept_until` on records that the organization must keep by law. Of the profile, only how the citizenship was verified is kept, for
 * five years after the last training (49 CFR 1552.15). Dated currencies, such as security awareness training, are kept for one year after
 * the member left (1552.15(b)).
 */
async function keepByLaw(tx: Tx, { organizationId, orgUserId, leftAt }: FormerMember): Promise<void> {
  const of = sql`organization_id = ${organizationId} and membership_id = ${orgUserId}`
  await sql`
    update member_profile set kept_until = last.training + interval '5 years', verified = '{}',
        facts = jsonb_build_object('citizenshipVerification', facts -> 'citizenshipVerification')
      from (select greatest(
        (select (facts #>> '{citizenshipVerification,at}')::timestamptz from member_profile where ${of}),
        (select max(ends_at) from seat where ${of} and side = 'students' and live and ends_at < ${tx.now}),
        (select max(r.trained_at) from enrollment e
          join training_record r on r.organization_id = e.organization_id and r.enrollment_id = e.id
          where e.organization_id = ${organizationId} and e.membership_id = ${orgUserId})) as training) as last
     where ${of} and jsonb_typeof(facts -> 'citizenshipVerification') = 'object'
       and last.training + interval '5 years' > ${tx.now}`.execute(tx.db)
  await sql`
    update currency_record k set kept_until = ${leftAt}::timestamptz + interval '1 year', ended_because = null,
        ended_note = null
      from currency c
     where k.organization_id = ${organizationId} and k.membership_id = ${orgUserId}
       and c.organization_id = k.organization_id and c.id = k.currency_id and c.kind = 'expiring'
       and ${leftAt}::timestamptz + interval '1 year' > ${tx.now}`.execute(tx.db)
}

/** Deletes the words of a former member's objections. That they objected is about others too, and stays. */
export async function emptyObjections(
  tx: Tx,
  { organizationId, orgUserId }: Pick<FormerMember, 'organizationId' | 'orgUserId'>,
): Promise<void> {
  const of = sql`organization_id = ${organizationId} and membership_id = ${orgUserId}`
  await sql`update correction_objection set note = '' where ${of}`.execute(tx.db)
  await sql`update cancellation_fee set objection = '' where ${of} and objection is not null`.execute(tx.db)
}

/** Replaces these words (a person's name, address and phone number) by `name` in all texts that may contain them. */
export async function renameInTexts(
  tx: Tx,
  organizationId: number,
  words: readonly string[],
  name: string,
): Promise<void> {
  if (words.length === 0) return
  const pattern = patternOf(words)
  for (const { name: table, mayName } of tx.tables) {
    if (mayName.length === 0) continue
    const set = mayName.map(({ column, json }) => {
      const renamed = sql`regexp_replace(${sql.ref(column)}::text, ${pattern}, ${name}, 'g')`
      return sql`${sql.ref(column)} = ${json ? sql`${renamed}::jsonb` : renamed}`
    })
    const has: RawBuilder<unknown>[] = mayName.map(({ column }) => sql`${sql.ref(column)}::text ~ ${pattern}`)
    await sql`update ${sql.table(table)} set ${sql.join(set)}
      where organization_id = ${organizationId} and (${sql.join(has, sql` or `)})`.execute(tx.db)
  }
}

/** Returns a regular expression that matches these words as whole words, in plain text and escaped in JSON. */
function patternOf(words: readonly string[]): string {
  const each = new Set(words.flatMap((word) => [word, JSON.stringify(word).slice(1, -1)]))
  const escaped = [...each].map((word) => word.replace(/[^\p{L}\p{N}\s]/gu, '\\$&'))
  return `(?<![[:alnum:]])(?:${escaped.join('|')})(?![[:alnum:]])`
}
