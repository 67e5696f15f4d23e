import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { answerForEndorsement } from '../../../shared/training/endorsements/confirm-endorsement.ts'
import { nameToFillIn } from '../../../shared/training/endorsements/endorsement.access.ts'
import {
  findEndorsement,
  findEndorsements,
  listEndorsements,
} from '../../../shared/training/endorsements/endorsement.queries.ts'
import { templatesOf } from '../../../shared/training/endorsements/endorsement-templates.ts'
import { issueEndorsement } from '../../../shared/training/endorsements/issue-endorsement.ts'
import { issueEndorsements } from '../../../shared/training/endorsements/issue-endorsements.ts'
import { readsAllEndorsements } from '../../../shared/training/grants/grant.access.ts'
import { graders } from '../../../shared/training/grants/grants.rules.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { listOf, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { Endorsement, EndorsementTemplate, endorsementTemplateView, endorsementView } from './endorsement.view.ts'
import {
  EndorsementBatchBody,
  EndorsementBody,
  EndorsementQuery,
  EndorsementTemplateQuery,
} from './endorsements.schemas.ts'

const tag = 'Training'

const UNSIGNED = trainingErrors.endorsementUnsigned()
const beside = {
  warning: z
    .string()
    .optional()
    .describe('Nobody signed it')
    .meta({ examples: [UNSIGNED] }),
}

/** The errors of issuing an endorsement, alone or in a batch. */
const issueErrors = [
  trainingErrors.endorsesThemselves,
  qualificationErrors.unknownDocument,
  identityErrors.unknownMember,
  identityErrors.lacksRole,
  trainingErrors.unknownSuperseded,
  trainingErrors.notTheirEnrollment,
  trainingErrors.unknownTemplate,
  trainingErrors.ownSignatureDated,
  trainingErrors.editionNotCurrent,
  trainingErrors.trainedAfterSigning,
  trainingErrors.trainingTooOld,
  trainingErrors.unknownParameter,
  trainingErrors.flightDayUnreadable,
  trainingErrors.flightDayMissing,
  trainingErrors.titleMissing,
  trainingErrors.inFuture,
  trainingErrors.signerNotAllowed,
  platformErrors.endorsementReplaced,
] as const

export const endorsementRoutes: Routes = (on) => {
  on.get('/training/endorsements', {
    id: 'listEndorsements',
    access: 'member',
    tag,
    summary: 'List the endorsements',
    description:
      'Newest first; replaced ones only with `includeSuperseded`. Instructors, admins and holders of the grant `auditor` ' +
      'read everybody’s; everybody else reads their own. ' +
      '14 CFR 61.189.',
    query: EndorsementQuery,
    answers: { 200: envelope(z.array(Endorsement)) },
    read: async ({ db, actor, query }) => {
      const orgUserId = (await readsAllEndorsements(db, actor)) ? query.orgUserId : actor.orgUserId
      const endorsements = listEndorsements(db, actor.organizationId, { ...query, orgUserId })
      return page(await listPage(endorsements, query, endorsementView))
    },
  })

  on.post('/training/endorsements', {
    id: 'issueEndorsement',
    access: graders,
    tag,
    summary: 'Endorse a member',
    description:
      'In the caller’s name; one’s own is kept, answers `unproven` and counts for nothing. An admin names an instructor in `signedBy`; an admin who is no ' +
      'instructor and names none records it `unsigned`, with `warning`. What examiners, institutions and others sign is ' +
      'recorded with `signedBy`; it counts once that instructor confirms it, or an admin other than the recorder verified ' +
      '`documentId`. The text is kept word for word. Days of validity are counted from the local date of the ' +
      'signature or the training, as the template says, to the end of the last day; calendar months to the end of the ' +
      'last month (AC 61-65K). ' +
      'Editions of AC 61-65; an endorsement of oneself counts for nothing by 14 CFR 61.195(i).',
    body: EndorsementBody,
    answers: { 200: envelope(Endorsement, beside) },
    errors: issueErrors,
    write: (tx, { actor, body }) => issueEndorsement(tx, actor, body),
    answer: async ({ id, unsigned }, { db, actor }) =>
      ok(endorsementView(await findEndorsement(db, actor.organizationId, id)), unsigned ? { warning: UNSIGNED } : {}),
  })

  on.post('/training/endorsements/batch', {
    id: 'endorseMemberInBatch',
    access: graders,
    tag,
    summary: 'Sign several endorsements of a member',
    description:
      'All or none, under the current edition. A text that is left out is the template’s, filled in with the student’s name ' +
      'and `parameters`; a parameter that a template does not have is left out of it. ' +
      'AC 61-65K; 14 CFR 61.189.',
    body: EndorsementBatchBody,
    answers: { 200: envelope(z.array(Endorsement)) },
    errors: [...issueErrors, trainingErrors.unknownTemplateOfItem, trainingErrors.placeholderOpen],
    write: (tx, { actor, body }) => issueEndorsements(tx, actor, body),
    answer: async ({ ids }, { db, actor }) =>
      ok((await findEndorsements(db, actor.organizationId, ids)).map(endorsementView)),
  })

  for (const [verb, id, answer, summary] of [
    ['confirm', 'confirmEndorsement', 'confirmed', 'Confirm an endorsement that was recorded in one’s name'],
    ['disown', 'disownEndorsement', 'disowned', 'Disown an endorsement that was recorded in one’s name'],
  ] as const) {
    on.post(`/training/endorsements/:id/${verb}`, {
      id,
      access: graders,
      tag,
      summary,
      description:
        'For the instructor whom `signedBy` named, once. Until it is confirmed, and when it is disowned, it meets no rule ' +
        'and renews nothing. An instructor signs for who they trained: 14 CFR 61.189.',
      params: IdParams,
      answers: { 200: envelope(Endorsement) },
      errors: [trainingErrors.notInYourName, trainingErrors.noSuchEndorsement, trainingErrors.answeredAlready],
      write: (tx, { actor, params }) => answerForEndorsement(tx, actor, params.id, answer),
      answer: async (_made, { db, actor, params }) =>
        ok(endorsementView(await findEndorsement(db, actor.organizationId, params.id))),
    })
  }

  on.get('/training/endorsements/templates', {
    id: 'listEndorsementTemplates',
    access: 'member',
    tag,
    summary: 'List the templates of endorsements',
    description:
      'In our own words, under the numbers of the advisory circular, the current edition unless `edition` names the ' +
      'one before, whose numbers mean other endorsements. `orgUserId` fills in the student’s name; the other ' +
      'placeholders are left for the instructor, who edits the text before signing. ' +
      'AC 61-65K, before it AC 61-65H.',
    query: EndorsementTemplateQuery,
    answers: { 200: envelope(z.array(EndorsementTemplate)) },
    errors: [identityErrors.unknownMember],
    read: async ({ db, actor, query }) => {
      const known: Record<string, string> =
        query.orgUserId === undefined ? {} : { student: await nameToFillIn(db, actor, query.orgUserId) }
      const templates = listOf([...templatesOf(query.edition)])
      return page(
        await listPage(templates, query, (template) => endorsementTemplateView(template, query.edition, known)),
      )
    },
  })
}
