internal import PluginKit

/// Shortens field names as Mux Data's beacons do (mux-embed 5.9, as measured).
///
/// The first word becomes one letter, each later one two letters; whole numbers stay; a word that is not in the
/// dictionary stands between underscores.
package enum KeyShortening {
    /// The short form of a name.
    package static func short(_ name: String) -> String {
        var result = ""
        for (index, word) in name.split(separator: "_").enumerated() {
            let dictionary = index == 0 ? firstWords : laterWords
            if let short = dictionary[String(word)] {
                result += short
            } else if index > 0, word.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
                result += word
            } else {
                result += index == 0 ? "\(word)_" : "_\(word)_"
            }
        }
        return result
    }

    /// The short names of all fields, by their index.
    static let shortNames: [String] = Field.names.map { short($0.string) }

    private static let firstWords = dictionary(
        """
        property=a env=a beacon=b custom=c ad=d event=e experiment=f internal=i mux=m response=n player=p request=q \
        retry=r session=s timestamp=t viewer=u video=v page=w view=x sub=y
        """
    )

    private static let laterWords = dictionary(
        """
        ad=ad affiliate=af aggregate=ag api=ap application=al audio=ao architecture=ar asset=as autoplay=au average=av \
        bitrate=bi brand=bn break=br browser=bw bytes=by business=bz cached=ca cancel=cb codec=cc code=cd category=cg \
        changed=ch client=ci clicked=ck canceled=cl config=cn count=co counter=ce complete=cp creator=cq creative=cr \
        captions=cs content=ct current=cu connection=cx context=cz cumulative=cv downscaling=dg domain=dm cdn=dn \
        downscale=do drm=dr dropped=dp duration=du device=dv dynamic=dy enabled=eb encoding=ec edge=ed end=en engine=eg \
        embed=em error=er experiments=ep errorcode=es errortext=et event=ee events=ev expires=ex exception=ez failed=fa \
        first=fi family=fm format=ft fps=fp frequency=fq frame=fr fullscreen=fs has=ha holdback=hb headers=he host=ho \
        hostname=hn height=ht id=id init=ii instance=in ip=ip is=is key=ke language=la labeled=lb level=le live=li \
        loaded=ld load=lo lists=ls latency=lt max=ma media=md message=me manifest=mf mime=mi midroll=ml min=mm \
        manufacturer=mn mode=mp model=mo mux=mx ms=ms newest=ne name=nm number=no on=on origin=or os=os paused=pa \
        playback=pb producer=pd percentage=pe played=pf previous=pv program=pg playhead=ph plugin=pi preroll=pl \
        playing=pn poster=po pip=pp preload=pr position=ps part=pt property=py pop=px plan=pz rate=ra requested=rd \
        rebuffer=re rendition=rf range=rg remote=rm ratio=ro response=rp request=rq requests=rs sample=sa skipped=sd \
        session=se shift=sh seek=sk stream=sm source=so sequence=sq series=sr status=ss start=st startup=su server=sv \
        software=sw severity=sy tag=ta tech=tc text=te target=tg throughput=th time=ti total=tl to=to track=tr title=tt \
        type=ty upscaling=ug universal=un upscale=up url=ur user=us variant=va viewed=vd video=vi version=ve view=vw \
        viewer=vr width=wd watch=wa waiting=wt
        """
    )

    private static func dictionary(_ text: String) -> [String: String] {
        let pairs = text.split(separator: " ").map { $0.split(separator: "=").map { String($0) } }
        return Dictionary(pairs.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    }
}
