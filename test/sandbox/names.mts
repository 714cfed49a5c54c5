// Words the seeded company is made of.

const list = (text: string) => text.trim().split(/\s+/);

export const GIVEN_NAMES = list(`
	Ada Adrián Aiko Alejandro Amara Amélie Ana Anders Anton Asha Aylin Beatriz Benoît Björn Camille Carlos Chiara Chidi
	Clara Daniel Deniz Dmitri Elena Elif Emeka Emma Erik Esther Fatima Felix Fernanda François Freya Gabriela Giulia
	Grace Hana Hannah Hassan Helga Hiroshi Ibrahim Inès Ingrid Irina Isabel Ivan Jade James Jana Javier Jing Joana
	João Johan José Julia Kaito Karim Katarzyna Kenji Kofi Lars Laura Layla Leïla Leon Liam Lin Lucía Łukasz Magnus
	Maja Malik María Marta Mateo Mei Mia Miguel Mila Mohamed Nadia Naomi Nia Nikolai Nina Noah Noor Olga Oliver Omar
	Oscar Paolo Patrícia Pavel Petra Priya Rafael Raj René Rosa Ruth Salma Samir Sara Sven Søren Sofía Tariq Tess
	Thabo Tomás Uma Valentina Vera Viktor Wei Yara Yuki Yusuf Zoë Zuzana
`);

export const FAMILY_NAMES = list(`
	Abadi Adeyemi Åberg Ahmed Almeida Álvarez Andersson Arslan Baker Bauer Becker Bianchi Björk Brown Castillo Chen
	Costa Cruz Dąbrowski Davies Demir Díaz Dubois Eriksson Farah Fernández Fischer Fontaine Fujita García Gonçalves
	González Gupta Haddad Hansen Hernández Hoffmann Hughes Ibáñez Ito Ivanova Jansen Jensen Johansson Jones Kaplan
	Kaya Khan Kim Kowalski Kumar Lambert Larsen Laurent Lee Lefèvre Lindqvist López Madsen Malik Martin Martínez Mbeki
	Meyer Moreau Müller Muñoz Nakamura Navarro Nguyen Nielsen Novák Nowak Núñez O'Brien Okafor Olsen Ortiz Park Patel
	Pereira Petrov Peña Popescu Ramírez Rao Reyes Ricci Rossi Ruiz Sánchez Santos Sato Schmidt Schröder Silva Singh
	Smith Sokolov Suzuki Tanaka Torres Vargas Vidal Wagner Walker Wang Weber Wiśniewski Wright Yamamoto Yıldız Young
	Zhang Zimmermann
`);

export const DEPARTMENTS = [
	'Design',
	'Research',
	'Product',
	'Engineering',
	'Platform',
	'Data',
	'Security',
	'IT Operations',
	'Marketing',
	'Brand',
	'Sales',
	'Customer Success',
	'Support',
	'Finance',
	'Procurement',
	'Legal',
	'People',
	'Recruiting',
	'Facilities',
	'Strategy',
	'Learning',
	'Partnerships',
	'Communications',
	'Quality',
	'Logistics',
	'Innovation Lab',
];

export const REGIONS = ['EMEA', 'Americas', 'APAC', 'Global', 'Contractors'];

export const MURAL_TITLES = [
	'Retrospective',
	'Customer journey',
	'Quarterly roadmap',
	'Empathy map',
	'Kick-off',
	'Service blueprint',
	'Brainstorm',
	'Research synthesis',
	'Team canvas',
	'Risk review',
	'Org design',
	'Lean canvas',
];
