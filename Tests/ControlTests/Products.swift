import Tally
import TestFiles

/// What was built beside the tests.
enum Products {
    /// The plugins of these products.
    static func catalog() -> PluginCatalog {
        let catalog = PluginCatalog()
        catalog.search(TestFile.products)
        return catalog
    }
}
