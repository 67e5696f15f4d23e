/** The categories of documents. An organization requires some of them of its roles. */
export const documentCategories = [
  'medical',
  'certificate',
  'identification',
  'insurance',
  'contract',
  'other',
] as const
export type DocumentCategory = (typeof documentCategories)[number]
