/// The words of the generated data. About one name in four has letters beyond ASCII.
enum Words {
    static let given = words(
        """
        Anna,Ben,Clara,David,Elena,Farid,Grace,Hiroshi,Ines,Jonas,Karin,Liam,Maria,Noah,Olivia,Paul,Rosa,Sven,Tara,Victor,
        Zoë,José,Søren,Chloé,Łukasz,Björn,Ирина,Дмитрий,Γιώργος,Nguyễn,愛子,Aïcha
        """)
    static let families = words(
        """
        Smith,Johnson,Brown,Garcia,Miller,Davis,Martin,Lopez,Wilson,Anderson,Thomas,Taylor,Moore,Jackson,Lee,Weber,Rossi,
        O'Brien,Smith-Jones,van den Berg,Müller,Hernández,Ångström,Dvořák,\
        Şahin,Иванова,Παπαδόπουλος,田中,Lefèvre,Gonçalves
        """)
    static let givenBeyondASCII = given.filter { $0.contains { $0 >= 0x80 } }
    static let familiesBeyondASCII = families.filter { $0.contains { $0 >= 0x80 } }
    static let cyrillic = words("Иванова,Петров,Сидорова,Кузнецов,Соловьёва,Шевченко,Ким,Достоевский")
    static let japanese = words("佐藤,山崎,東京都,さくら,ユーザー,株式会社,ひらがな,カタカナ,高橋健太")
    static let mailboxes = words(
        """
        anna,ben,clara,david,elena,farid,grace,hiroshi,ines,jonas,karin,liam,smith,johnson,brown,garcia,miller,davis,weber,
        info,sales,office,Marketing,j,k,newsletter,support,first.last
        """)
    static let domains = words(
        "example,acme-industries,northwind,contoso,fabrikam,globex,initech,umbrella-corp,wayne,stark,hooli,my-company")
    static let topDomains = words("com,org,net,de,co.uk,io,fr,info")
    static let dialing = words("1,44,49,33,34,39,81,86,91,55,351,420")
    static let paths = words(
        """
        products,users,account,orders,search,blog,2024,09,en-us,category,checkout,newsletter,campaign-spring,images,item-4711,
        help,terms-and-conditions,index.html
        """)
    static let countries = words("US,DE,FR,GB,ES,IT,JP,CN,BR,IN,CA,AU,NL,SE,PL,TR,GR,VN,MX,CH")
    static let badCountries = words("USA,us,Germany,-,D,U.S.,N/A,UK ")
    static let mailboxSeparators = Array(".._-".utf8)
    static let hexadecimal = Array("0123456789abcdef".utf8)
    static let uuidVariants = Array("89ab".utf8)

    private static func words(_ text: String) -> [[UInt8]] {
        text.split(separator: "\n").joined().split(separator: ",").map { Array($0.utf8) }
    }
}
