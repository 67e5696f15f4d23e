import { desk, members, type Rights } from './rights.ts'

/** The student's own. */
const unseen = { instructor: 404, renter: 404, technician: 404 } as const

const paper = { title: 'Medical', category: 'medical', fileName: 'medical.pdf' }

export const documentRights: Rights[] = [
  { endpoint: 'GET /documents', who: members },
  { endpoint: 'POST /documents', who: members, body: () => ({ ...paper, expiresAt: '2027-11-30T23:59:59Z' }) },
  {
    endpoint: 'POST /documents',
    when: 'of somebody else',
    who: desk,
    desk: ['registrar'],
    body: ({ pupilMember }) => ({ ...paper, orgUserId: pupilMember }),
  },
  {
    endpoint: 'POST /documents',
    when: 'of the organization',
    who: desk,
    body: () => ({ ...paper, category: 'insurance', orgUserId: null }),
  },
  { endpoint: 'GET /documents/{id}', who: members, but: unseen, at: ['document'] },
  { endpoint: 'GET /documents/{id}', when: 'of the organization', who: members, at: ['policy'] },
  {
    endpoint: 'PATCH /documents/{id}',
    who: members,
    but: unseen,
    at: ['document'],
    body: () => ({ title: 'Medical, third class' }),
  },
  {
    endpoint: 'PATCH /documents/{id}',
    when: 'of the organization',
    who: desk,
    at: ['policy'],
    body: () => ({ title: 'Hull policy' }),
  },
  {
    endpoint: 'PATCH /documents/{id}',
    when: 'reviewing it',
    who: members,
    but: { ...unseen, student: 403 },
    at: ['document'],
    body: () => ({ status: 'rejected' }),
  },
  { endpoint: 'DELETE /documents/{id}', when: 'of the organization', who: desk, at: ['policy'] },
  { endpoint: 'DELETE /documents/{id}', who: members, but: unseen, at: ['document'] },
]
