module github.com/resilint/resilint/analyzers/testdata/libs

go 1.26.0

require (
	github.com/Azure/azure-sdk-for-go/sdk/azcore v1.24.0
	github.com/PuerkitoBio/rehttp v1.4.0
	github.com/Rican7/retry v0.3.1
	github.com/Songmu/retry v0.1.0
	github.com/afex/hystrix-go v0.0.0-20180502004556-fa1af6a1f4f5
	github.com/avast/retry-go v3.0.0+incompatible
	github.com/avast/retry-go/v3 v3.1.1
	github.com/avast/retry-go/v4 v4.7.0
	github.com/avast/retry-go/v5 v5.1.1
	github.com/aws/aws-sdk-go-v2 v1.43.6
	github.com/buildkite/roko v1.4.0
	github.com/carlmjohnson/requests v0.23.5
	github.com/cenk/backoff v2.2.1+incompatible
	github.com/cenkalti/backoff v2.2.1+incompatible
	github.com/cenkalti/backoff/v3 v3.2.2
	github.com/cenkalti/backoff/v4 v4.3.0
	github.com/cenkalti/backoff/v5 v5.0.3
	github.com/cloudflare/backoff v0.0.0-20161212185259-647f3cdfc87a
	github.com/codeGROOVE-dev/retry v1.2.0
	github.com/dghubble/sling v1.4.2
	github.com/eapache/go-resiliency v1.7.0
	github.com/failsafe-go/failsafe-go v0.9.8
	github.com/go-kit/kit v0.13.0
	github.com/go-kratos/aegis v0.2.0
	github.com/go-resty/resty/v2 v2.17.2
	github.com/gofrs/uuid v4.4.0+incompatible
	github.com/gojek/heimdall/v7 v7.0.3
	github.com/google/uuid v1.6.0
	github.com/hashicorp/go-retryablehttp v0.7.8
	github.com/hashicorp/go-uuid v1.0.3
	github.com/jpillora/backoff v1.1.0
	github.com/juju/retry v1.0.1
	github.com/lestrrat-go/backoff/v2 v2.0.8
	github.com/matryer/try v0.0.0-20161228173917-9ac251b645a2
	github.com/parnurzeal/gorequest v0.3.0
	github.com/rs/xid v1.6.0
	github.com/rubyist/circuitbreaker v2.2.1+incompatible
	github.com/satori/go.uuid v1.2.0
	github.com/sethgrid/pester v1.2.0
	github.com/sethvargo/go-retry v0.5.0
	github.com/sony/gobreaker v1.0.0
	github.com/sony/gobreaker/v2 v2.4.0
	github.com/streadway/handy v0.0.0-20200128134331-0f66f006fb2e
	github.com/valyala/fasthttp v1.79.0
	gopkg.in/retry.v1 v1.0.3
	resty.dev/v3 v3.0.0-rc.4
)

require github.com/aws/smithy-go v1.27.8 // indirect

require (
	example.test/other v0.0.0
	github.com/Azure/azure-sdk-for-go/sdk/internal v1.13.0 // indirect
	github.com/DataDog/datadog-go v3.7.1+incompatible // indirect
	github.com/bits-and-blooms/bitset v1.24.4 // indirect
	github.com/cactus/go-statsd-client/statsd v0.0.0-20200423205355-cb0885a1018c // indirect
	github.com/cheekybits/is v0.0.0-20150225183255-68e9c0620927 // indirect
	github.com/elazarl/goproxy v1.9.4 // indirect
	github.com/facebookgo/clock v0.0.0-20150410010913-600d898af40a // indirect
	github.com/go-kit/log v0.2.0
	github.com/go-logfmt/logfmt v0.5.1 // indirect
	github.com/gojek/valkyrie v0.0.0-20180215180059-6aee720afcdf // indirect
	github.com/google/go-querystring v1.1.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/influxdata/tdigest v0.0.1 // indirect
	github.com/juju/errors v0.0.0-20220203013757-bd733f3c86b9 // indirect
	github.com/klauspost/compress v1.20.4 // indirect
	github.com/lestrrat-go/option v1.0.0 // indirect
	github.com/molecule-man/go-brrr v1.3.1 // indirect
	github.com/moul/http2curl v1.0.0 // indirect
	github.com/peterbourgon/g2s v0.0.0-20170223122336-d4e7ad98afea // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/rcrowley/go-metrics v0.0.0-20201227073835-cf1acfcdf475 // indirect
	github.com/stretchr/objx v0.5.3 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20240814211410-ddb44dafa142 // indirect
	google.golang.org/grpc v1.67.1 // indirect
	google.golang.org/protobuf v1.36.4 // indirect
)

replace example.test/other => ./other
