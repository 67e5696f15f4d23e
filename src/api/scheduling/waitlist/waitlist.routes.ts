import { z } from 'zod'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { findEntry, findPasses, listEntries } from '../../../shared/scheduling/waitlist/entry.queries.ts'
import { createEntry, deleteEntry, updateEntry } from '../../../shared/scheduling/waitlist/write-entry.ts'
import { waitlistErrors } from '../../../shared/scheduling/waitlist.errors.ts'
import { type Answer, created, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { toEntry, toEntryChanges, WaitlistEntryBody, WaitlistEntryPatch, WaitlistQuery } from './waitlist.schemas.ts'
import { entryDetailView, entryView, WaitlistEntry, WaitlistEntryDetail } from './waitlist.view.ts'

const tag = 'Waiting list'

const soundness = [
  waitlistErrors.windowAhead,
  waitlistErrors.windowsOverlap,
  waitlistErrors.windowTooShort,
  waitlistErrors.noSuchResources,
  waitlistErrors.noSuchPool,
  waitlistErrors.poolOrResources,
  waitlistErrors.instructorsOfDual,
  waitlistErrors.insteadOfUnfit,
  waitlistErrors.entryForOthers,
  schedulingErrors.noSuchInstructors,
  schedulingErrors.typeNotAllowed,
  schedulingErrors.approvalRequired,
]

/** The endpoints of the waiting list. */
export const waitlistRoutes: Routes = (on) => {
  on.get('/waitlist', {
    id: 'listWaitlist',
    access: 'member',
    tag,
    summary: 'List the entries of the waiting list',
    description: 'Lists entries, newest first: desk staff see all, others their own and those that they made.',
    query: WaitlistQuery,
    answers: { 200: envelope(z.array(WaitlistEntry)) },
    read: async ({ db, actor, query }) => page(await listPage(listEntries(db, actor, query.status), query, entryView)),
  })

  on.post('/waitlist', {
    id: 'createWaitlistEntry',
    access: 'member',
    tag,
    rateLimit: { account: 'waitlistEntries' },
    summary: 'Put a member on the waiting list',
    description:
      'Adds an entry for the caller; desk staff add anybody, and an instructor adds their own students for lessons ' +
      'with that instructor. When a place becomes free that the entry waits for, the member gets an offer. The ' +
      'caller must be allowed to make the booking. A member has at most 5 live entries.',
    body: WaitlistEntryBody,
    answers: { 201: envelope(WaitlistEntry) },
    errors: [...soundness, schedulingErrors.unknownMember, waitlistErrors.noSeat, waitlistErrors.tooManyEntries],
    write: (tx, { actor, body }) => createEntry(tx, actor, toEntry(body, actor)),
    answer: async ({ id }, { db, actor }) => created(entryView(await findEntry(db, actor, id))),
  })

  on.get('/waitlist/:id', {
    id: 'readWaitlistEntry',
    access: 'member',
    tag,
    summary: 'Read an entry of the waiting list',
    description: 'Returns an entry with the places that it did not get; 404 for callers who may not list it.',
    params: IdParams,
    answers: { 200: envelope(WaitlistEntryDetail) },
    errors: [waitlistErrors.noSuchEntry],
    read: ({ db, actor, params }) => readEntry(db, actor, params.id),
  })

  on.patch('/waitlist/:id', {
    id: 'updateWaitlistEntry',
    access: 'member',
    tag,
    summary: 'Change an entry of the waiting list',
    description:
      'Changes what the entry waits for. A change that makes more places fit puts the entry at the end of the list. ' +
      'An open offer that no longer fits is withdrawn.',
    params: IdParams,
    body: WaitlistEntryPatch,
    answers: { 200: envelope(WaitlistEntryDetail) },
    edits: 'waitlist_entry',
    errors: [...soundness, waitlistErrors.noSuchEntry, waitlistErrors.entryEnded],
    write: (tx, { actor, params, body }) => updateEntry(tx, actor, params.id, toEntryChanges(body)),
    answer: ({ id }, { db, actor }) => readEntry(db, actor, id),
  })

  on.delete('/waitlist/:id', {
    id: 'deleteWaitlistEntry',
    access: 'member',
    tag,
    summary: 'Take a member off the waiting list',
    description: 'Ends the entry, and withdraws its open offer. It can still be read.',
    params: IdParams,
    answers: { 204: null },
    errors: [waitlistErrors.noSuchEntry, waitlistErrors.entryEnded],
    write: (tx, { actor, params }) => deleteEntry(tx, actor, params.id),
    answer: () => done(),
  })
}

/** Answers an entry with the places that others got. */
async function readEntry(db: Db, actor: Actor, id: number): Promise<Answer> {
  const row = await findEntry(db, actor, id)
  return ok(entryDetailView(row, await findPasses(db, actor.organizationId, id)))
}
