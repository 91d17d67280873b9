export type Gender = 'm' | 'f';

export interface Person {
  readonly name: string;
  readonly gender: Gender;
}

const named = (names: string, gender: Gender): Person[] => names.split(' ').map((name) => ({ name, gender }));

/** No name is the beginning of another one's sentence: no Will, no May, no Mark. */
export const CHILDREN: readonly Person[] = [
  ...named(
    'Ben Tom Sam Max Leo Finn Jack Noah Otto Paul Hugo Theo Luke Adam Felix Oscar Peter Simon David Daniel Emil Jonas Victor Henry George Martin Philip Robin Toby Walter Ali Omar Anton Bruno Carl Edgar Erik Fabian Gustav Ivan Jacob Julian Karim Liam Marco Milo Nico Nils Oliver Pablo Rafael Ralph Rupert Samir Stefan Thomas Timo Vincent William Yusuf Albert Arthur Basil Boris Conrad Dennis Edwin Elias Frank Gabriel Harold Hassan Igor Isaac Jasper Joseph Kevin Kofi Lars Lorenz Luis Magnus Matteo Milan Moritz Niklas Osman Pedro Quentin Rashid Roman Sebastian Silas Tarik Tobias Xaver',
    'm',
  ),
  ...named(
    'Mia Anna Lily Rosa Ella Nora Ida Zoe Lucy Emma Clara Ruby Maya Eva Alice Greta Sofia Julia Laura Sarah Helen Hannah Molly Polly Tessa Vera Wanda Yara Lena Frida Dora Amina Agnes Bella Carla Celia Daria Edith Elena Elsa Fiona Flora Gina Ines Iris Ivy Jana Kira Leila Linda Lotte Marta Mina Nadia Olivia Paula Sally Selma Stella Tina Ursula Zara Ada Adele Alma Astrid Beatrice Bertha Cora Delia Dina Doris Emily Esther Fatima Freya Gerda Gloria Hilda Ingrid Irene Isabel Joan Judith Karla Lara Lydia Mabel Magda Mara Miriam Monica Naomi Nelly Odette Pia Ramona Rita Salma Tamara Tilda Viola Yasmin',
    'f',
  ),
];

/** As they are called in the middle of a sentence. */
export const ADULTS: readonly Person[] = [
  { name: 'Grandma', gender: 'f' },
  { name: 'Grandpa', gender: 'm' },
  { name: 'Aunt May', gender: 'f' },
  { name: 'Uncle Joe', gender: 'm' },
  { name: 'Aunt Olga', gender: 'f' },
  { name: 'Uncle Fred', gender: 'm' },
  { name: 'the baker', gender: 'm' },
  { name: 'the teacher', gender: 'f' },
  { name: 'the gardener', gender: 'm' },
  { name: 'the farmer', gender: 'f' },
  { name: 'the old sailor', gender: 'm' },
  { name: 'the shopkeeper', gender: 'f' },
  { name: 'the carpenter', gender: 'm' },
  { name: 'the postman', gender: 'm' },
  { name: 'the doctor', gender: 'f' },
  { name: 'the painter', gender: 'f' },
  { name: 'the fisherman', gender: 'm' },
  { name: 'the librarian', gender: 'f' },
  { name: 'the blacksmith', gender: 'm' },
  { name: 'the tailor', gender: 'm' },
  { name: 'the bus driver', gender: 'f' },
  { name: 'the mayor', gender: 'f' },
  { name: 'Aunt Ruth', gender: 'f' },
  { name: 'Uncle Ned', gender: 'm' },
  { name: 'the nurse', gender: 'f' },
  { name: 'the beekeeper', gender: 'm' },
  { name: 'the clockmaker', gender: 'm' },
  { name: 'the music teacher', gender: 'f' },
  { name: 'the shepherd', gender: 'm' },
  { name: 'the miller', gender: 'm' },
  { name: 'the pilot', gender: 'f' },
  { name: 'the ferryman', gender: 'm' },
  { name: 'the gamekeeper', gender: 'm' },
  { name: 'the old lady next door', gender: 'f' },
  { name: 'the seamstress', gender: 'f' },
  { name: 'the captain', gender: 'f' },
  { name: 'the cook', gender: 'm' },
];

/** Who asks in the evening. */
export const FAMILY = [
  'mother',
  'father',
  'sister',
  'brother',
  'grandmother',
  'grandfather',
  'aunt',
  'uncle',
  'cousin',
  'godmother',
  'godfather',
  'big sister',
  'big brother',
] as const;
