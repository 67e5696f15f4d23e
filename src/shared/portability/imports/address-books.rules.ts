/**
 * The names of the columns about people in the files of address books and directories: Google Contacts (the older
 * headings and those since 2024), Google Workspace, Outlook on the desktop and on the web, Apple Contacts through
 * Numbers or a converter of vCards, Thunderbird and Active Directory; in English, German, French and Spanish. Case,
 * blanks, punctuation and text in square brackets are ignored.
 */

/** Returns every name once for each of the given numbers or kinds, which replaces the `*`. */
const each = (names: readonly string[], of: readonly string[]) =>
  names.flatMap((name) => of.map((one) => name.replace('*', one)))

const counted = ['1', '2', '3', '4', '5']

/** The columns with the whole name of a person, and the columns with its parts. */
export const nameWords = {
  firstFilled: true,
  aliases: [
    ...['full name', 'member', 'display name', 'contact name', 'fn', 'cn'],
    ...['vollständiger Name', 'Anzeigename', 'nom complet', 'nombre completo', 'nom', 'nombre'],
  ],
  parts: [
    ['first name', 'given name', 'forename', 'first', 'Vorname', 'prénom', 'primer nombre', 'nombre'],
    [
      'middle name',
      'additional name',
      'middle',
      'weitere Vornamen',
      'zweiter Vorname',
      'deuxième prénom',
      'segundo nombre',
    ],
    [
      ...['last name', 'family name', 'surname', 'last', 'sn', 'Nachname', 'Familienname', 'nom de famille'],
      ...['apellidos', 'apellido', 'nom', 'name'],
    ],
    ['suffix', 'name suffix', 'Namenssuffix', 'suffixe', 'sufijo'],
  ],
} as const

/** The columns with the email address of a person. The first one that is not blank counts. */
export const emailWords = {
  firstFilled: true,
  aliases: [
    ...['e-mail', 'email address', 'primary email', 'primary email address', 'mail', 'email 1', 'email address 1'],
    ...['E-Mail-Adresse', 'adresse e-mail', 'adresse de messagerie', 'courriel', 'correo electrónico', 'correo'],
    'dirección de correo electrónico',
    ...each(['email * value', 'E-Mail * Adresse', 'email * address', 'E-Mail * Wert'], counted),
    ...each(['email *', 'email address *', 'adresse de messagerie *', 'correo electrónico *'], counted.slice(1)),
    ...each(['* email', 'email *', '* email address'], ['home', 'private', 'personal', 'work', 'school', 'other']),
    ...each(['* email', '* secondary email'], ['secondary', 'home', 'work', 'recovery']),
    ...['E-Mail privat', 'E-Mail geschäftlich', 'User Principal Name'],
  ],
} as const

/**
 * The columns with the phone number of a person. The first one that is not blank counts, mobile numbers before others.
 */
export const phoneWords = {
  firstFilled: true,
  aliases: [
    ...['phone number', 'mobile', 'mobile phone', 'mobile number', 'mobile phone number', 'cell', 'cell phone'],
    ...['phone mobile', 'phone cell', 'phone iPhone', 'iPhone', 'mobile phone 2', 'primary phone', 'tel', 'telephone'],
    ...['telephone number', 'Mobiltelefon', 'Handy', 'Mobil', 'Telefon', 'Telefonnummer', 'Tél. mobile'],
    ...['téléphone mobile', 'téléphone', 'portable', 'móvil', 'teléfono móvil', 'teléfono', 'phone main', 'main phone'],
    ...each(['phone * value', 'phone *', 'Telefon * Wert'], counted),
    ...each(
      ['* phone', 'phone *', '* phone number', '* phone 2', 'tel *'],
      ['home', 'work', 'business', 'other', 'car'],
    ),
    ...['Telefon privat', 'Telefon (privat)', 'Telefon geschäftlich', 'téléphone domicile', 'téléphone bureau'],
    ...['teléfono particular', 'teléfono del trabajo', 'recovery phone', 'company main phone'],
  ],
} as const
