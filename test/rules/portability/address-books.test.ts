import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { kindOf } from '../../../src/shared/portability/imports/find-import-kind.ts'
import { readRow } from '../../../src/shared/portability/reading/columns.rules.ts'
import type { DateOrder } from '../../../src/shared/portability/reading/dates.rules.ts'
import { matchHeader } from '../../../src/shared/portability/reading/header.rules.ts'
import { readCsv } from '../../../src/shared/portability/reading/read-csv.ts'
import { type Encoding, readText } from '../../../src/shared/portability/reading/read-text.ts'

const { columns } = kindOf('members')

/** Returns the people of a file, with what is read of each. */
async function peopleOf(bytes: Buffer, said: Encoding | null = null, order: DateOrder = 'mdy'): Promise<unknown[]> {
  const open = async function* () {
    yield bytes
  }
  const rows: string[][] = []
  for await (const row of readCsv(readText(open, said))) rows.push(row)
  const header = matchHeader(columns, rows[0]!)
  if ('problem' in header) throw new Error(header.problem)
  return rows.slice(1).map((cells) => {
    const read = readRow(columns, header, cells, { order, zone: 'America/New_York' })
    if ('problems' in read) return read.problems
    const { name, email, phone, birthDate, externalId } = read.row as Record<string, unknown>
    return [name, email, phone, ...(birthDate ? [birthDate] : []), ...(externalId ? [externalId] : [])]
  })
}

const lines = (...rows: string[]) => `${rows.join('\r\n')}\r\n`

const google = lines(
  'First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,Name Suffix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Label,Address 1 - Formatted',
  'Ana,María,Ruiz,,,,Dr.,,,,,,,1990-05-14,"Likes\nmornings",,* myContacts,* Home,ana@example.com,Work,ana@work.example,Mobile,+1 510-555-0101,Home,"1 Main St\nHayward, CA"',
  'Bo,,Lund,,,,,Jr.,,,,,,,,,* myContacts,,,Work,bo@work.example,Work,+1 510-555-0102 ::: +1 510-555-0103,,',
)

const googleBefore = lines(
  'Name,Given Name,Additional Name,Family Name,Yomi Name,Given Name Yomi,Name Prefix,Name Suffix,Initials,Nickname,Birthday,Gender,Location,Occupation,Notes,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Phone 2 - Type,Phone 2 - Value',
  'Ana María Ruiz,Ana,María,Ruiz,,,,,,,1990-05-14,,,,,* myContacts,* Home,ana@example.com ::: second@example.com,Mobile,+1 510-555-0101,,',
  ',Bo,,Lund,,,,,,,,,,,,* myContacts,,,,,Work,+1 510-555-0102',
)

const workspace = lines(
  'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Password Hash Function [UPLOAD ONLY],Org Unit Path [Required],New Primary Email [UPLOAD ONLY],Recovery Email,Home Secondary Email,Work Secondary Email,Recovery Phone [MUST BE IN THE E.164 FORMAT],Work Phone,Home Phone,Mobile Phone,Work Address,Home Address,Employee ID,Employee Type,Employee Title,Manager Email,Department,Cost Center,Building ID,Floor Name,Floor Section,Change Password at Next Sign-In,New Status [UPLOAD ONLY]',
  'Ana,Ruiz,Ana@School.example,****,,/,,ana@example.com,,,+15105550109,+15105550108,,+15105550101,,,E-7,,,boss@school.example,,,,,,False,',
)

const outlook = lines(
  '"Title","First Name","Middle Name","Last Name","Suffix","Company","Department","Job Title","Business Street","Business City","Home Street","Assistant\'s Phone","Business Fax","Business Phone","Business Phone 2","Car Phone","Home Fax","Home Phone","Mobile Phone","Other Phone","Pager","Primary Phone","Anniversary","Birthday","E-mail Address","E-mail Type","E-mail Display Name","E-mail 2 Address","E-mail 2 Type","E-mail 2 Display Name","Government ID Number","Notes"',
  '"Ms.","Ana","","Ruiz","","","","","","","1 Main St\r\nApt 2","","","(510) 555-0108","","","","","(510) 555-0101","","","","0/0/00","5/14/1990","ana@example.com","SMTP","Ana Ruiz (ana@example.com)","","","","","Two\r\nlines, ""quoted"""',
  '"","José","","Müller","","","","","","","","","","","","","","(510) 555-0102","","","","","0/0/00","0/0/00","","","","jose@work.example","SMTP","","",""',
)

const outlookWeb = lines(
  'First Name,Middle Name,Last Name,Title,Suffix,Nickname,Given Yomi,Surname Yomi,E-mail Address,E-mail 2 Address,E-mail 3 Address,Home Phone,Home Phone 2,Business Phone,Business Phone 2,Mobile Phone,Car Phone,Other Phone,Primary Phone,Pager,Business Fax,Birthday,Company',
  'Ana,,Ruiz,,,,,,ana@example.com,,,,,,,510 555 0101,,,,,,,',
)

const outlookGerman = lines(
  '"Anrede","Vorname","Weitere Vornamen","Nachname","Suffix","Firma","Telefon geschäftlich","Telefon (privat)","Mobiltelefon","E-Mail-Adresse","E-Mail 2: Adresse","Geburtstag"',
  '"Frau","Ana","","Müller","","","030 555 02","","0171 555 01","ana@example.com","","14.5.1990"',
)

describe('members as address books and directories export them (§Imports)', () => {
  const ana = ['Ana Ruiz', 'ana@example.com']
  test.each([
    [
      'Google Contacts',
      Buffer.from(google),
      [
        ['Ana María Ruiz', 'ana@example.com', '+1 510-555-0101', '1990-05-14'],
        ['Bo Lund Jr.', 'bo@work.example', '+1 510-555-0102'],
      ],
    ],
    [
      'Google Contacts before 2024, in UTF-16',
      Buffer.from(`\ufeff${googleBefore}`, 'utf16le'),
      [
        ['Ana María Ruiz', 'ana@example.com', '+1 510-555-0101', '1990-05-14'],
        ['Bo Lund', undefined, '+1 510-555-0102'],
      ],
    ],
    ['Google Workspace', Buffer.from(workspace), [['Ana Ruiz', 'ana@school.example', '+15105550101', 'E-7']]],
    [
      'Outlook on the desktop, with a mark',
      Buffer.from(`\ufeff${outlook}`),
      [
        [...ana, '(510) 555-0101', '1990-05-14'],
        ['José Müller', 'jose@work.example', '(510) 555-0102'],
      ],
    ],
    ['Outlook on the web', Buffer.from(outlookWeb), [[...ana, '510 555 0101']]],
    [
      'Numbers, of Apple Contacts',
      Buffer.from(
        `\ufeff${lines('First name;Last name;Email (home);Email (work);Phone (mobile)', 'Ana;Ruiz;;ana@example.com;0171 1')}`,
      ),
      [[...ana, '0171 1']],
    ],
    [
      'a converter of vCards',
      Buffer.from(lines('FN,EMAIL,TEL', 'Ana Ruiz,ana@example.com,0171 1')),
      [[...ana, '0171 1']],
    ],
    [
      'Thunderbird',
      Buffer.from(
        lines(
          'First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Work Phone,Mobile Number',
          'Ana,Ruiz,,,ana@example.com,,1,2',
        ),
      ),
      [[...ana, '2']],
    ],
    [
      'Active Directory, in UTF-16 with tabs',
      Buffer.from(
        `\ufeff${lines('displayName\tgivenName\tsn\tmail\tmobile', 'Ana Ruiz\tAna\tRuiz\tana@example.com\t2')}`,
        'utf16le',
      ),
      [[...ana, '2']],
    ],
    [
      'a name beside other headings',
      Buffer.from('Name,Mail,Mobile Phone\nAna Ruiz,ana@example.com,2\n'),
      [[...ana, '2']],
    ],
    [
      'French headings',
      Buffer.from('Prénom;Nom;Adresse de messagerie;Tél. mobile\nAna;Ruiz;ana@example.com;2\n'),
      [[...ana, '2']],
    ],
    ['a French name alone', Buffer.from('Nom;Courriel\nAna Ruiz;ana@example.com\n'), [[...ana, undefined]]],
    [
      'Spanish headings',
      Buffer.from('Nombre;Apellidos;Correo electrónico;Móvil\nAna;Ruiz;ana@example.com;2\n'),
      [[...ana, '2']],
    ],
  ] as const)('are read from a file of %s', async (_, bytes, people) => {
    expect(await peopleOf(bytes)).toEqual(people)
  })

  test('are read in windows-1252 as older Outlooks write it, with German headings', async () => {
    expect(await peopleOf(Buffer.from(outlookGerman, 'latin1'), 'windows-1252', 'dmy')).toEqual([
      ['Ana Müller', 'ana@example.com', '0171 555 01', '1990-05-14'],
    ])
  })
})
