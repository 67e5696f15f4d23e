import { Readable } from 'node:stream'
import { makePdf } from '../../../src/api/pdf/make-pdf.ts'
import { createAnnouncement } from '../../../src/shared/communication/announcements/write-announcement.ts'
import { addFiles } from '../../../src/shared/fleet/resources/add-files.ts'
import type { FileCategory } from '../../../src/shared/fleet/resources/resource.rules.ts'
import { MAX_OBJECT_BYTES } from '../../../src/shared/platform/adapters/storage/file-types.ts'
import type { OwnStore } from '../../../src/shared/platform/adapters/storage/storage.port.ts'
import type { Actor } from '../../../src/shared/platform/authz/actor.ts'
import type { Role } from '../../../src/shared/platform/authz/roles.ts'
import type { Tx } from '../../../src/shared/platform/db/transaction.ts'
import { addDocument, type NewDocument } from '../../../src/shared/qualification/documents/add-document.ts'
import { updateDocument } from '../../../src/shared/qualification/documents/change-document.ts'
import type { Review } from '../../../src/shared/qualification/documents/review-document.ts'
import { replacePacketDocuments } from '../../../src/shared/training/readiness/replace-packet-documents.ts'
import { daysFrom } from './days.ts'
import type { ResourceKey } from './fleet.ts'
import type { DemoSchool } from './found-school.ts'
import type { PersonKey } from './people.ts'
import type { SchoolTransaction } from './school-transaction.ts'
import type { Enrollments } from './training.ts'

const DAY_MS = 86_400_000

const announcements: { daysAgo: number; title: string; body: string; roles?: Role[]; pinned?: boolean }[] = [
  {
    daysAgo: 20,
    title: 'Welcome to Bay Flight Academy',
    body: 'The desk is open from 07:00 to 19:00. Please close out every flight on the day you flew it.',
    pinned: true,
  },
  {
    daysAgo: 2,
    title: 'Ramp closed on Friday morning',
    body: 'The west ramp is repaved until noon. Please use the east side and allow ten minutes more.',
  },
  {
    daysAgo: 1,
    title: 'Ground school: cross-country planning',
    body: 'Ivan plans a flight to Monterey with you in the briefing room.\nBring your plotter and a current chart.',
    roles: ['student'],
  },
]

interface Paper extends Pick<NewDocument, 'title' | 'category' | 'roles'> {
  by: PersonKey
  of: PersonKey | null
  goodForDays: number | null
  review?: Review
  /** For how many days the student allows it in the packet for the practical test. */
  inPacketForDays?: number
}

const papers: Paper[] = [
  {
    by: 'sam',
    of: 'sam',
    title: 'Medical, third class',
    category: 'medical',
    goodForDays: 400,
    review: { status: 'verified' },
  },
  { by: 'stella', of: 'stella', title: 'Medical, second class', category: 'medical', goodForDays: 12 },
  { by: 'rita', of: 'rita', title: 'Private pilot certificate', category: 'certificate', goodForDays: null },
  {
    by: 'sofia',
    of: 'sofia',
    title: 'Passport',
    category: 'identification',
    goodForDays: 900,
    review: { status: 'rejected', notes: 'The second page is missing.' },
  },
  {
    by: 'theo',
    of: 'theo',
    title: 'Driver license',
    category: 'identification',
    goodForDays: 700,
    review: { status: 'verified' },
  },
  {
    by: 'theo',
    of: 'theo',
    title: 'Medical, first class',
    category: 'medical',
    goodForDays: 300,
    inPacketForDays: 14,
  },
  { by: 'adam', of: null, title: 'Hull and liability policy', category: 'insurance', goodForDays: 25 },
  {
    by: 'adam',
    of: null,
    title: 'Instructor handbook',
    category: 'other',
    goodForDays: null,
    roles: ['instructor'],
  },
]

const aircraftPapers = [
  { on: 'N734FL', title: 'Pilot operating handbook, 172S', category: 'poh' },
  { on: 'N734FL', title: 'Weight and balance, N734FL', category: 'weight_and_balance' },
  { on: 'N734FL', title: 'Registration, N734FL', category: 'registration' },
  { on: 'N734FL', title: 'Airworthiness certificate, N734FL', category: 'airworthiness' },
  { on: 'N92FL', title: 'Insurance certificate, N92FL', category: 'insurance' },
] as const satisfies { on: ResourceKey; title: string; category: FileCategory }[]

/** A file of the demo school, stored after the commit. */
export interface DemoFile {
  key: string
  content: Buffer
}

/** Publishes the announcements of the demo school, each at its past time. No mail is sent. */
export async function postAnnouncements(school: SchoolTransaction, { actors }: DemoSchool, now: Date): Promise<void> {
  for (const { daysAgo, ...announcement } of announcements) {
    await school.at(new Date(now.getTime() - daysAgo * DAY_MS), (tx) =>
      createAnnouncement(tx, actors.dana, announcement),
    )
  }
}

/** A storage that reports every file as stored: the files are stored after the commit. */
const stored = { formsEndAtOnce: true, has: async () => true }

/**
 * Adds the documents and aircraft files of the demo school, marked as uploaded, and reviews some documents. One is allowed in
 * the packet of its student. Returns the files to store.
 */
export async function filePapers(
  school: SchoolTransaction,
  { actors, resourceIds }: DemoSchool,
  enrollments: Enrollments,
  now: Date,
): Promise<DemoFile[]> {
  const files: DemoFile[] = []
  for (const { by, of, goodForDays, review, inPacketForDays, ...paper } of papers) {
    const key = await school.at(now, async (tx) => {
      const { id } = await addDocument(tx, actors[by], {
        ...paper,
        orgUserId: of === null ? null : actors[of].orgUserId,
        expiresAt: goodForDays === null ? null : new Date(now.getTime() + goodForDays * DAY_MS),
        fileName: fileNameOf(paper.title),
      })
      await tx.em.flush()
      const document = await markStored(tx, 'document', actors[by], id)
      if (review) await updateDocument(tx, actors.dana, id, review, stored)
      const enrollment = enrollments.get(by)
      if (inPacketForDays && enrollment) {
        const until = new Date(now.getTime() + inPacketForDays * DAY_MS)
        await replacePacketDocuments(tx, actors[by], enrollment.id, [{ documentId: id, until }])
      }
      return document.storage_key
    })
    files.push({ key, content: await scan(paper.title, actors[by], now) })
  }
  for (const { on, title, category } of aircraftPapers) {
    const key = await school.at(daysFrom(now, -92), async (tx) => {
      const fileNames = [fileNameOf(title)]
      const { ids } = await addFiles(tx, actors.tom, resourceIds[on], { category, label: title, fileNames })
      return (await markStored(tx, 'resource_file', actors.tom, ids[0]!)).storage_key
    })
    files.push({ key, content: await scan(title, actors.tom, now) })
  }
  return files
}

function fileNameOf(title: string): string {
  return `${title.toLowerCase().replaceAll(/\W+/g, '-')}.pdf`
}

/** Marks a file as uploaded. Its contents are stored after the commit, without an upload. */
function markStored(tx: Tx, table: 'document' | 'resource_file', { organizationId }: Actor, id: number) {
  return tx.db
    .updateTable(table)
    .set({ upload: 'stored' })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('storage_key')
    .executeTakeFirstOrThrow()
}

function scan(title: string, { name: author }: Actor, madeAt: Date): Promise<Buffer> {
  return makePdf({ title, author, country: 'US', madeAt }, (paper) => {
    paper.title(title)
    paper.skip(10)
    paper.text('A document of the demo school. It stands for a scan.', { size: 11 })
  })
}

/** Stores the contents of the demo school's documents and aircraft files. */
export async function storeFiles(store: OwnStore, files: readonly DemoFile[], now: Date): Promise<void> {
  for (const { key, content } of files) {
    const policy = { key, contentType: 'application/pdf', maxBytes: MAX_OBJECT_BYTES, expiresAt: now }
    await store.receive(policy, Readable.from([content]))
  }
}
