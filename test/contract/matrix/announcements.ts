import { desk, members, type Rights } from './rights.ts'

export const announcementRights: Rights[] = [
  { endpoint: 'GET /announcements', who: members },
  {
    endpoint: 'POST /announcements',
    who: desk,
    verified: true,
    body: ({ group }) => ({ title: 'Ramp closed', body: 'On Friday.', roles: ['student'], groupIds: [group] }),
  },
  { endpoint: 'GET /announcements/{id}', who: members, at: ['announcement'] },
  {
    endpoint: 'PATCH /announcements/{id}',
    who: desk,
    verified: true,
    at: ['announcement'],
    body: () => ({ pinned: true }),
  },
  { endpoint: 'POST /announcements/{id}', who: members, at: ['announcement'] },
  { endpoint: 'DELETE /announcements/{id}', who: desk, at: ['announcement'] },
]
